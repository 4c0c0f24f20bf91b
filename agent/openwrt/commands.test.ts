/** Commands of the agent where something is missing: room, a time zone of its own, a DHCP server. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { agentParts, runShell } from '#test/openwrt/agent-shell'
import { missingTools, Router } from '#test/openwrt/router'

const root = mkdtempSync(join(tmpdir(), 'iot-commands-'))
mkdirSync(join(root, 'sbin'))
mkdirSync(join(root, 'etc/config'), { recursive: true })
writeFileSync(join(root, 'etc/config/network'), "config interface 'lan'\n\toption ca '/etc/ssl/own.pem'\n")
mkdirSync(join(root, 'etc/ssl'))
writeFileSync(join(root, 'etc/ssl/own.pem'), 'certificate')
afterAll(() => rmSync(root, { recursive: true }))

/** What a backup says where these lines replace a program, and what is left of it in RAM. */
const backup = (lines: string) =>
  runShell(
    root,
    `
${agentParts('commands')}
managed() { echo network; }
pick() { URL=http://platform NAME=a PASSWORD=b MAX=100000; }
curl() { cat >/dev/null; printf 201; }
finish() { echo done; }
refuse() { echo "failed: $2"; }
${lines}
run_backup 0a none 2>/dev/null
ls "$RUN" | grep backup || true`,
  )

describe('a backup', () => {
  it('is done when it is whole', () => {
    expect(backup('')).toBe('done\n')
  })

  it.each([
    ['the archive', 'tar() { echo half >"$2"; return 1; }'],
    ['a package', 'cp() { case $1 in *network) return 1 ;; *) command cp "$@" ;; esac; }'],
    ['a certificate', 'cp() { case $1 in *.pem) return 1 ;; *) command cp "$@" ;; esac; }'],
  ])('fails without room for %s, and leaves nothing', (_, lines) => {
    expect(backup(lines)).toBe('failed: no room for the archive\n')
  })

  it('leaves nothing if it is larger than the platform takes', () => {
    expect(backup('pick() { URL=http://platform NAME=a PASSWORD=b MAX=10; }')).toBe(
      'failed: larger than the platform takes\n',
    )
  })
})

/** The lines that the agent makes of what this logread prints. */
function logLines(script: string, least = 'info') {
  const logread = join(root, 'sbin/logread')
  writeFileSync(logread, `#!/bin/sh\n${script}\n`)
  chmodSync(logread, 0o755)
  const printed = runShell(root, `${agentParts('commands')}\nlog_lines 10 ${least}`, { TZ: 'Asia/Shanghai' })
  return printed
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

it('log lines have their times in UTC, whatever the time zone of the router', () => {
  const date = "LC_ALL=C exec date -d @1795226400 '+%a %b %e %H:%M:%S %Y daemon.notice netifd[1]: wan up'"
  expect(logLines(date)).toMatchObject([{ at: 1_795_226_400_000, tag: 'netifd', text: 'wan up' }])
})

it('a log line keeps its number when older ones have been dropped, and whichever are asked for', () => {
  const all = [
    'Sun Nov 22 21:00:01 2026 [1795381201.007] daemon.err netifd[1]: link  lost',
    'Sun Nov 22 21:00:01 2026 [1795381201.250] kern.info kernel: [   12.300000] eth0: up',
    'Sun Nov 22 21:00:01 2026 [1795381201.250] daemon.err dnsmasq[99]: failed',
  ]
  const print = (lines: string[]) => `cat <<'END'\n${lines.join('\n')}\nEND`
  const [first, second, third] = logLines(print(all))
  expect(first).toMatchObject({ seq: 1_795_381_201_007_000, at: 1_795_381_201_007, text: 'link  lost' })
  expect(second).toMatchObject({ seq: 1_795_381_201_250_000, tag: 'kernel', priority: 'info' })
  expect(third).toMatchObject({ seq: 1_795_381_201_250_001, tag: 'dnsmasq', priority: 'error' })
  expect(logLines(print(all.slice(1)))).toEqual([second, third])
  expect(logLines(print(all), 'error')).toEqual([first, third])
})

it('a long log line is cut before its quotes are escaped', () => {
  const line = `Sun Nov 22 21:00:01 2026 daemon.info app: ${'x'.repeat(899)}${'"'.repeat(3)}`
  expect(logLines(`echo '${line}'`)).toMatchObject([{ text: `${'x'.repeat(899)}"` }])
})

it('a log line with a control character of two bytes, as a text that was encoded twice has them, is sent without it', () => {
  const line = String.raw`Sun Nov 22 21:00:01 2026 daemon.info app: a\302\205b\303\205c\n`
  expect(logLines(`printf '${line}'`)).toMatchObject([{ text: 'a bÅc' }])
})

it('a log that is followed is sent on line by line, once each, until the time is over', () => {
  const at = (second: number, text: string) =>
    `Sun Nov 22 21:00:0${second} 2026 [179538120${second}.000] daemon.notice app: ${text}`
  writeFileSync(join(root, 'sbin/logread'), `#!/bin/sh\ncat "${root}/log"\n`)
  chmodSync(join(root, 'sbin/logread'), 0o755)
  writeFileSync(join(root, 'log'), `${at(1, 'before')}\n`)
  const printed = runShell(
    root,
    `${agentParts('commands')}
pick() { LEAST=info LINES_MAX=10 FOLLOW=6; }
uptime_s() { date +%s; }
boot_id() { echo b; }
tell() { echo "$2"; }
finish() { echo "done $2"; }
(sleep 3; echo '${at(2, 'meanwhile')}' >>"${root}/log") &
run_logs 0a none
[ -s "$RUN/follower" ] && echo follows
wait`,
  )
  const texts = printed.split('\n').filter(Boolean)
  expect(texts.map((text) => /"text":"(\w+)"/.exec(text)?.[1] ?? text)).toEqual([
    'before',
    'done {"lines":1}',
    'follows',
    'meanwhile',
  ])
})

it('what runs in the background has another connection than what goes on meanwhile', () => {
  const names = ['ping', 'traceroute', 'lookUp', 'uploadBackup', 'openTunnel', 'reboot']
  const run = ['ping', 'traceroute', 'lookup', 'backup', 'tunnel', 'reboot']
  const said = runShell(
    root,
    `
${agentParts('commands')}
TAG=1
known() { return 1; }
${run.map((name) => `run_${name}() { echo "$TAG"; }`).join('\n')}
: >"$ROOT/message"
for name in ${names.join(' ')}; do obey "$name" "$name" '' "$ROOT/message"; done
wait`,
  )
  expect(said.trim().split('\n')).toEqual(names.map(() => '3'))
})

it.each([
  [
    'that never ends is ended, and that is said',
    'sleep 600 & wait',
    'failed: restart of slow did not end within 2 s',
  ],
  ['that fails is only told by its state', 'exit 3', 'done: {"state":"stopped"}'],
])('a service %s', (_, does, said) => {
  mkdirSync(join(root, 'etc/init.d'), { recursive: true })
  writeFileSync(join(root, 'etc/init.d/slow'), `#!/bin/sh\n: >'${root}/ran'\n${does}\n`, { mode: 0o755 })
  const printed = runShell(
    root,
    `
${agentParts('commands')}
SERVICE_S=2
pick() { NAME=slow ACTION=restart; }
service_state() { echo stopped; }
facts() { :; }
ubus() { :; }
finish() { echo "done: $2"; }
refuse() { echo "failed: $2"; }
run_service 0a none`,
  )
  expect(printed).toBe(`${said}\n`)
  expect(existsSync(join(root, 'ran'))).toBe(true)
})

it('a service that never ends holds up neither the other packages of a change nor its rollback', () => {
  mkdirSync(join(root, 'etc/init.d'), { recursive: true })
  writeFileSync(join(root, 'etc/init.d/mwan3'), '#!/bin/sh\nsleep 600 & wait\n', { mode: 0o755 })
  const printed = runShell(
    root,
    `
${agentParts()}
SERVICE_S=2
ubus() { echo "$*" | grep -o '"package":"[a-z0-9]*"' >>"$ROOT/told"; }
tell_services mwan3 network
cat "$ROOT/told"`,
  )
  expect(printed).toBe('"package":"mwan3"\n"package":"network"\n')
})

it('what could not be put in its place is not kept', () => {
  const lines = `${agentParts()}\nmkdir -p "$STATE/items"; mv() { return 1; }; keep items/a done && echo kept; ls "$STATE/items"`
  expect(runShell(root, lines)).toBe('')
})

describe.skipIf(missingTools.length > 0)('the hosts of a router', () => {
  const router =
    missingTools.length > 0 ? null : new Router({ host: '127.0.0.1', port: '1', serial: 'OWRT-5' })
  afterAll(() => router?.close())

  it('are known without a DHCP server', () => {
    const hosts = () => router?.ask(['keys', 'status', 'facts'], 'hosts')
    expect(hosts()).toBe('{"mac":"02:00:5e:10:00:77","ip":"192.168.1.113","name":"pos-2"}')
    router?.remove('tmp/dhcp.leases')
    expect(hosts()).toBe('{"mac":"02:00:5e:10:00:77","ip":"192.168.1.113"}')
  })
})

it.each([
  ['until it has ended', 3, '3 s'],
  ['but not for one that hangs', 10_000, '240 s'],
])('a restart waits for an installation that is running, %s', (_, seconds, waited) => {
  writeFileSync(join(root, 'sbin/reboot'), '#!/bin/sh\necho restarts', { mode: 0o755 })
  const printed = runShell(
    root,
    `
${agentParts('commands', 'upgrade')}
pick() { DELAY=600; }
settled() { echo accepted; echo upgrading >"$STATE/items/0b"; }
restarts_for() { :; }
say() { echo "after $slept s"; }
sleep() { [ "$1" -ne 600 ] || return 0; slept=$((slept + $1)); [ $slept -lt ${seconds} ] || echo done >"$STATE/items/0b"; }
slept=0
run_reboot 0a none
rm "$STATE/items/0b"`,
  )
  expect(printed).toBe(`accepted\nafter ${waited}\nrestarts\n`)
})
