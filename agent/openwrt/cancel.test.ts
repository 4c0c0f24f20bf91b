/** A cancel or a change that arrives while the agent goes from one step to the next, and what sysupgrade returns: the device does what it says, and only that. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { agentParts, runShell } from '#test/openwrt/agent-shell'

const ITEM = '0a'
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'iot-cancel-'))
  for (const folder of ['etc/iotagent/items', 'sbin', 'tmp'])
    mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(
    join(root, 'sbin/sysupgrade'),
    `#!/bin/sh\n[ "$1" = -T ] || { echo flashed >>"${root}/flashed"; echo 'Command failed: ubus call system sysupgrade (Connection failed)' >&2; exit 246; }\n`,
    { mode: 0o755 },
  )
  writeFileSync(join(root, 'x-sysupgrade.bin'), 'firmware')
  execFileSync('tar', ['-czf', 'tmp/iotagent.part', 'x-sysupgrade.bin'], { cwd: root })
  writeFileSync(join(root, 'etc/iotagent/items', ITEM), 'accepted\n')
  writeFileSync(join(root, 'etc/iotagent/items', `${ITEM}.offer`), '{}')
})
afterEach(() => rmSync(root, { recursive: true }))

/** Runs lines of the agent's shell; returns what was reported of the item, and whether it was installed. */
function run(lines: string): { reported: string[]; flashed: boolean } {
  const script = `
${agentParts('install', 'restore', 'upgrade')}
TYPE=upgrade MODEL=m VERSION=2 PACKAGE=p
pick() { :; }; model() { echo m; }; fetch() { :; }; damage() { :; }; distrusted() { :; }; flush() { :; }; say() { :; }; sync() { :; }
report() { echo "$2" >>"$ROOT/reported"; }
# The router restarts.
await_restart() { exit; }
${lines}`
  runShell(root, script)
  const reported = readFileSync(join(root, 'reported'), 'utf8').trim().split('\n')
  return { reported, flashed: existsSync(join(root, 'flashed')) }
}

/** The other process does `meanwhile` just before the step named is written. */
function meeting(what: string, step: string, meanwhile: string) {
  const found = run(`
meet() { [ "$1" != ${step} ] || [ -e "$ROOT/met" ] || { : >"$ROOT/met"; (${meanwhile} ${ITEM}); }; }
keep() { meet "$2"; printf '%s\\n' "$2" >"$STATE/$1"; }
ln() { meet "$2"; command ln "$@"; }
${what} ${ITEM}
present ${ITEM}`)
  expect(existsSync(join(root, 'met')), `${step} is written`).toBe(true)
  return found
}

it('before a download is written down: nothing is installed, and the item is reported as ended', () => {
  const { reported, flashed } = meeting('work_on', 'downloaded', 'cancel_item')
  expect(flashed).toBe(false)
  expect(reported.at(-1)).toBe('failed')
  expect(reported).not.toContain('upgrading')
})

it('just before the installation is decided on: nothing is installed', () => {
  writeFileSync(join(root, 'etc/iotagent/items', ITEM), 'downloaded\n')
  const { reported, flashed } = meeting('work_on', 'upgrading', 'cancel_item')
  expect({ flashed, last: reported.at(-1) }).toEqual({ flashed: false, last: 'failed' })
})

it('while the installation begins: it is reported as under way, never as cancelled', () => {
  const { reported, flashed } = meeting('cancel_item', 'cancelled', 'work_on')
  expect({ flashed, last: reported.at(-1) }).toEqual({ flashed: true, last: 'upgrading' })
})

it('an installation that sysupgrade has handed over is under way, and its image stays', () => {
  const { reported, flashed } = run(`(work_on ${ITEM})`)
  expect({ flashed, last: reported.at(-1) }).toEqual({ flashed: true, last: 'upgrading' })
  expect(existsSync(join(root, 'tmp/iotagent-image/x-sysupgrade.bin'))).toBe(true)
})

it('an installation has failed if sysupgrade ends with anything else', () => {
  writeFileSync(
    join(root, 'sbin/sysupgrade'),
    `#!/bin/sh\n[ "$1" = -T ] || { echo 'Command failed: ubus call system sysupgrade (Not supported)' >&2; exit 248; }\n`,
    { mode: 0o755 },
  )
  const { reported } = run(`(work_on ${ITEM})`)
  expect(reported.slice(-2)).toEqual(['upgrading', 'failed'])
  expect(readFileSync(join(root, 'etc/iotagent/items', ITEM), 'utf8')).toContain('(Not supported)')
})

it('of an item that was never offered: it is never begun', () => {
  const lines = `${agentParts('install', 'upgrade')}\nflush() { :; }; cancel_item 0b; cat "$STATE/items/0b"`
  expect(runShell(root, lines)).toBe('cancelled\n')
})

it.each([
  // A lock is a link in RAM.
  ['ln', '{ case $* in *.lock) command ln "$@" ;; *) return 1 ;; esac; }'],
  ['keep', '{ return 1; }'],
])('where the flash has no room (%s): nothing is installed, and the platform is told', (name, fails) => {
  const { reported, flashed } = run(`${name}() ${fails}; work_on ${ITEM}`)
  expect({ flashed, last: reported.at(-1) }).toEqual({ flashed: false, last: 'failed' })
})

it('an offer that cannot be stored is refused', () => {
  rmSync(join(root, 'etc/iotagent/items', ITEM))
  const { reported } = run(`value() { echo ${ITEM}; }; keep() { return 1; }; take_offer /dev/null`)
  expect(reported).toEqual(['failed'])
})

it('an item that was offered meanwhile begins when the other one has ended, and none of them over and over', () => {
  const found = run(`
for id in 0b 0c; do cp "$STATE/items/${ITEM}" "$STATE/items/$id"; cp "$STATE/items/${ITEM}.offer" "$STATE/items/$id.offer"; done
beside() { :; }
# The end of the second one cannot be stored.
work_on() { report "$1" "begins $1"; sleep 0.3; [ "$1" = 0b ] || echo done >"$STATE/items/$1"; report "$1" "ends $1"; }
begin_item
for look in $(seq 300); do
  begin_next
  [ "$(cat "$ROOT/reported" 2>/dev/null | grep -c ends)" -lt 3 ] || break
  sleep 0.1
done
sleep 0.1; begin_next; begin_next
wait`)
  expect(found.reported).toEqual(['0a', '0b', '0c'].flatMap((id) => [`begins ${id}`, `ends ${id}`]))
})

it('no item begins while the router is about to restart for another one', () => {
  const found = run(`
cp "$STATE/items/${ITEM}" "$STATE/items/0b"; cp "$STATE/items/${ITEM}.offer" "$STATE/items/0b.offer"
beside() { :; }
work_on() { report "$1" "begins $1"; echo upgrading >"$STATE/items/$1"; }
begin_item
wait
for look in 1 2 3; do begin_next; done
wait`)
  expect(found.reported).toEqual([`begins ${ITEM}`])
})

it('an installation waits for the end of a trial that began after it was looked for', () => {
  const { reported, flashed } = run(`
image_of() { [ -e "$ROOT/began" ] || { mkdir "$PENDING"; : >"$ROOT/began"; }; echo "$1/x-sysupgrade.bin"; }
sleep() { report ${ITEM} waits; rmdir "$PENDING" 2>/dev/null; command sleep 0.1; }
is_built_in() { true; }
(work_on ${ITEM})`)
  expect(reported).toEqual(['downloaded', 'waits', 'upgrading'])
  expect(flashed).toBe(true)
})

it('a change is not put on trial once an installation has begun, also after it was looked for', () => {
  const { reported } = run(`
${agentParts('commands', 'config', 'journal')}
echo upgrading >"$ROOT/upgrading"
pick() { REVISION=7 CONFIRM=90 ALL=0 NAME=network WHOLE=h; }; is_managed() { true; }; sync_keys() { :; }; value() { :; }; package_hash() { :; }
staged_hash() { echo h; }; boot_id() { echo boot; }; config_hash() { echo h; }; firewall_faults() { :; }; tell_services() { :; }; replaced_keys() { :; }
uci() { :; }; uptime_s() { echo 1; }
stage() { mkdir -p "$STATE/pending-new/files"; : >"$STATE/pending-new/packages"; : >"$STATE/pending-new/files/list"; cp "$ROOT/upgrading" "$STATE/items/${ITEM}"; }
tell() { report 0b "$2"; }
KEPT=ram; run_apply 0b message; ls -d "$PENDING" "$STATE/pending-new" 2>/dev/null >&2 && report 0b pending || true`)
  expect(reported).toHaveLength(1)
  expect(reported[0]).toMatch(/"outcome":"busy".*an installation is running/)
})
