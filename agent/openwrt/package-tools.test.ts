/** What opkg (2024) and apk (3.0) say and return: taken from the programs themselves, on a router with a package whose script fails. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { agentParts, runShell } from '#test/openwrt/agent-shell'

const root = mkdtempSync(join(tmpdir(), 'iot-package-tools-'))
afterAll(() => rmSync(root, { recursive: true }))
mkdirSync(join(root, 'usr/lib/iotagent'), { recursive: true })
mkdirSync(join(root, 'image'))
mkdirSync(join(root, 'control'))
writeFileSync(join(root, 'control/control'), 'Package: fix\nVersion: 2.0-1\nArchitecture: all\n')
execFileSync('sh', [
  '-c',
  `cd '${root}' && tar -czf control.tar.gz -C control ./control && tar -czf image/fix.ipk ./control.tar.gz`,
])
writeFileSync(join(root, 'image/fix.apk'), '')

/** Installs what is in the folder with this stand-in; returns what is kept about the item. */
const installed = (tool: string) =>
  runShell(
    root,
    `
${agentParts('keys', 'status', 'install', 'upgrade')}
begin_installing() { :; }; present() { :; }; flush() { :; }; hello() { :; }; keep() { echo "$2"; }
${tool}
PACKAGE=fix VERSION=2; install_packages 0a "$ROOT/image"`,
  ).trim()

const said = (output: string, code: number) => `cat <<'SAID'\n${output}\nSAID\nreturn ${code}`

describe('opkg', () => {
  const opkg = (output: string, state: string, version = '2.0-1') =>
    installed(`has() { false; }
opkg() {
if [ "$1" = status ]; then printf 'Package: %s\\nVersion: ${version}\\nStatus: install user ${state}\\n' "$2"; return 0; fi
${said(output, 255)}
}`)
  const OTHERS =
    'Collected errors:\n * pkg_run_script: package "old" postinst script returned status 3.\n * opkg_configure: old.postinst returned 3.'

  it('that fails for another package has installed this one', () => {
    expect(
      opkg(`${OTHERS}\nInstalling fix (2.0-1) to root...\nConfiguring old.\nConfiguring fix.`, 'installed'),
    ).toBe('done')
  })

  it('that has another version of it, or did not configure it, has failed', () => {
    expect(opkg(`${OTHERS}\nConfiguring old.`, 'installed', '1.0-1')).toMatch(/^failed upgradeFailed /)
    expect(opkg(`${OTHERS}\nConfiguring old.`, 'unpacked')).toMatch(/^failed upgradeFailed /)
  })

  it('is quoted with what went wrong, not with what it did', () => {
    expect(
      opkg(
        'Collected errors:\n * check_data_file_clashes: Package fix wants to install file /etc/a\n\tBut that file is already provided by package  * base\nInstalling fix (2.0-1) to root...',
        'not-installed',
      ),
    ).toBe(
      'failed upgradeFailed check_data_file_clashes: Package fix wants to install file /etc/a But that file is already provided by package  * base',
    )
    expect(opkg('Killed', 'not-installed')).toBe('failed upgradeFailed Killed')
  })
})

describe('apk', () => {
  const apk = (output: string, code: number) =>
    installed(`has() { [ "$1" = apk ]; }\napk() {\n${said(output, code)}\n}`)

  it('that only counts what was wrong with others before has installed it', () => {
    expect(apk('(1/1) Installing fix (2.0-r1)\n3 errors; 49 B in 7 packages', 3)).toBe('done')
    expect(apk('(1/1) Installing fix (2.0-r1)\n1 error; 49 B in 7 packages', 1)).toBe('done')
  })

  it('is quoted with what went wrong, not with the count', () => {
    expect(
      apk(
        'ERROR: unable to select packages:\n  base (no such package):\n    required by: fix-2.0-r1[base]',
        1,
      ),
    ).toBe(
      'failed upgradeFailed unable to select packages: base (no such package): required by: fix-2.0-r1[base]',
    )
    expect(
      apk(
        '(1/1) Installing fix (2.0-r1)\nERROR: fix-2.0-r1: trying to overwrite etc/a owned by base-1.0-r1.\n2 errors; 21 B in 3 packages',
        2,
      ),
    ).toBe('failed upgradeFailed fix-2.0-r1: trying to overwrite etc/a owned by base-1.0-r1.')
    expect(apk('Killed', 137)).toBe('failed upgradeFailed Killed')
  })
})
