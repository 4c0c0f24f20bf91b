/** What the agent installs, and how: images only where the agent survives them, packages by the tool that the router has. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { agentParts, runShell } from '#test/openwrt/agent-shell'

const ITEM = '0a'
let root: string

const put = (path: string, text: string, mode = 0o644) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text, { mode })
}
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'iot-install-'))
  put('sbin/sysupgrade', `#!/bin/sh\necho "sysupgrade $*" >>"${root}/calls"\n`, 0o755)
  put(`etc/iotagent/items/${ITEM}`, 'downloaded\n')
  put(`etc/iotagent/items/${ITEM}.offer`, '{}')
  mkdirSync(join(root, 'tmp'))
  mkdirSync(join(root, 'usr/lib/iotagent'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true }))

/** Installs an archive of one file; `lines` come before it. Returns what was called and reported. */
function install(type: 'upgrade' | 'patch', file: string, lines: string, how = `(work_on ${ITEM})`) {
  put(file, 'content')
  execFileSync('tar', ['-czf', 'tmp/iotagent.part', file], { cwd: root })
  const script = `
${agentParts('install', 'restore', 'upgrade')}
TYPE=${type} MODEL=m VERSION=2 PACKAGE=p KEEP=1
pick() { :; }; model() { echo m; }; fetch() { :; }; damage() { :; }; distrusted() { :; }; flush() { :; }; say() { :; }; sync() { :; }; hello() { :; }
setting() { echo "$2"; }
report() { echo "$2 \${3:-}" >>"$ROOT/calls"; }
await_restart() { exit; }
for tool in apk opkg; do eval "$tool() { echo \\"$tool \\$*\\" >>\\"\\$ROOT/calls\\"; }"; done
${lines}
${how}`
  runShell(root, script)
  return readFileSync(join(root, 'calls'), 'utf8')
    .replaceAll(root, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

const NO_APK = 'has() { false; }'

it('an image, where the agent is part of the firmware or that cannot be told', () => {
  const last = () => install('upgrade', 'x-sysupgrade.bin', NO_APK).at(-1)
  expect(last()).toMatch(/^sysupgrade .*x-sysupgrade\.bin$/)
  rmSync(join(root, 'etc/iotagent/items', `${ITEM}.fate`))
  put(`etc/iotagent/items/${ITEM}`, 'downloaded\n')
  put('rom/etc/banner', '')
  put('rom/usr/sbin/iotagent', '')
  expect(last()).toMatch(/^sysupgrade .*x-sysupgrade\.bin$/)
})

it('no image where the agent was added to the firmware, unless the owner says that it contains the agent', () => {
  put('rom/etc/banner', '')
  const refused = install('upgrade', 'x-sysupgrade.bin', NO_APK)
  expect(refused.at(-1)).toMatch(/^failed .*packageVerifyFailed.*any_image=1/)
  expect(refused.filter((call) => call.startsWith('sysupgrade'))).toEqual([])
  put(`etc/iotagent/items/${ITEM}`, 'downloaded\n')
  const allowed = install('upgrade', 'x-sysupgrade.bin', `${NO_APK}\nsetting() { echo 1; }`)
  expect(allowed.at(-1)).toMatch(/^sysupgrade .*x-sysupgrade\.bin$/)
})

it.each([
  ['refused where the agent was added to the firmware', [], 'failed'],
  ['carried out where it is part of it', ['rom/usr/sbin/iotagent'], 'accepted'],
])('a reset to factory settings is %s', (_, files, state) => {
  for (const path of ['rom/etc/banner', 'etc/config/iotagent', ...files]) put(path, '')
  put('sbin/jffs2reset', '#!/bin/sh\n', 0o755)
  const lines = `
${agentParts('commands', 'install', 'restore', 'upgrade')}
PENDING=$ROOT/none KEPT=ram
pick() { :; }; flush() { :; }; keep() { :; }; say() { :; }; boot_id() { echo b; }; tell() { echo "$2"; }
run_reset 0c /dev/null`
  expect(runShell(root, lines)).toContain(`"state":"${state}"`)
})

it.each([
  ['jffs2reset fails', '#!/bin/sh\nexit 255\n', '', 'jffs2reset failed'],
  [
    'there is no room for what must stay',
    '#!/bin/sh\n',
    'cp() { return 1; }',
    'there is no room for what must outlive it',
  ],
])(
  'a reset where %s wipes nothing, and leaves nothing that the next boot would unpack',
  (_, tool, lines, error) => {
    for (const path of ['etc/config/iotagent', 'etc/config/network', 'etc/iotagent/secret'])
      put(path, 'now\n')
    put('etc/iotagent/config-item', '0b\n')
    put('sbin/jffs2reset', tool.replace('\n', `\necho reset >>"${root}/calls"\n`), 0o755)
    put('calls', '')
    const told = runShell(
      root,
      `
${agentParts('commands', 'install', 'restore', 'upgrade')}
PENDING=$ROOT/none KEPT=ram
pick() { :; }; flush() { :; }; say() { :; }; boot_id() { echo b; }; tell() { echo "$2"; }
${lines}
run_reset 0c /dev/null`,
    )
    expect(told).toContain(`"state":"failed","error":"${error}`)
    expect(existsSync(join(root, 'sysupgrade.tgz'))).toBe(false)
    expect(readFileSync(join(root, 'etc/iotagent/config-item'), 'utf8')).toBe('0b\n')
    expect(readFileSync(join(root, 'calls'), 'utf8')).toBe(lines ? '' : 'reset\n')
  },
)

it('packages by opkg, which is told to install an older version too, or by apk, which is told that their signature is not what counts', () => {
  expect(install('patch', 'x.ipk', NO_APK)).toContain(
    'opkg install --force-downgrade /tmp/iotagent-image/x.ipk',
  )
  rmSync(join(root, 'etc/iotagent/items', `${ITEM}.fate`))
  put(`etc/iotagent/items/${ITEM}`, 'downloaded\n')
  const calls = install('patch', 'x.apk', 'has() { [ "$1" = apk ]; }')
  expect(calls).toContain('apk add --allow-untrusted /tmp/iotagent-image/x.apk')
  expect(calls.at(-1)).toBe('done')
})

it.each([
  ['done', 'true', 'done'],
  ['failed', 'echo "no space left"; false', 'failed ,"failure":"upgradeFailed","detail":"no space left"'],
])(
  'a package of the agent itself, whose installation stops it: the next agent reports it as %s',
  (_, ending, reported) => {
    const calls = install(
      'patch',
      'x.ipk',
      `${NO_APK}\nopkg() { sleep 2; ${ending}; }`,
      `work_on ${ITEM} & W=$!; sleep 1; kill -9 $W; wait $W; WORK=; settle_items; wait`,
    )
    expect(calls.slice(-2)).toEqual(['upgrading', reported])
  },
)

it.each([
  [
    'there is no room for what must stay',
    '#!/bin/sh\n',
    'tar() { case $1 in -czf) return 1 ;; *) command tar "$@" ;; esac; }',
  ],
  ['sysupgrade refuses the image', '#!/bin/sh\n[ "$1" = -T ]\n', ''],
])(
  'an upgrade without settings is not begun where %s: the restored configuration is still the present one',
  (_, tool, lines) => {
    put('etc/iotagent/config-item', '0b\n')
    put('etc/config/iotagent', '')
    put('sbin/sysupgrade', tool, 0o755)
    const calls = install('upgrade', 'x-sysupgrade.bin', `${NO_APK}\nKEEP=0\n${lines}`)
    expect(calls.at(-1)).toMatch(/^failed .*upgradeFailed/)
    expect(readFileSync(join(root, 'etc/iotagent/config-item'), 'utf8')).toBe('0b\n')
  },
)
