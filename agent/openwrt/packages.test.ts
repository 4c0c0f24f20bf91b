/** The list of installed packages, whose names and versions people have chosen. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { agentParts, runShell } from '#test/openwrt/agent-shell'

const root = mkdtempSync(join(tmpdir(), 'iot-packages-'))
afterAll(() => rmSync(root, { recursive: true }))
mkdirSync(join(root, 'image'))
mkdirSync(join(root, 'usr/lib/iotagent'), { recursive: true })
writeFileSync(join(root, 'image/a.ipk'), '')

/** Installs each; returns the packages that `hello` would name. */
function install(...packages: [name: string, version: string][]): Record<string, string> {
  const lines = packages.map(
    (_, at) => `PACKAGE=$NAME_${at} VERSION=$VERSION_${at}; install_packages 0a "$ROOT/image"`,
  )
  const told = runShell(
    root,
    `
${agentParts('keys', 'status', 'install', 'upgrade')}
has() { false; }; opkg() { :; }; begin_installing() { :; }; present() { :; }; flush() { :; }; hello() { :; }
${lines.join('\n')}
printf '{%s}' "$(map_of <"$PACKAGES")"`,
    Object.fromEntries(
      packages.flatMap(([name, version], at) => [
        [`NAME_${at}`, name],
        [`VERSION_${at}`, version],
      ]),
    ),
  )
  return JSON.parse(told)
}

it('is valid JSON with quotes, backslashes and spaces in it, so that hello is understood', () => {
  expect(install(['Fix_"wifi"', '1.0 "beta"'], ['back\\slash', '1\\2'])).toEqual({
    'Fix_"wifi"': '1.0 "beta"',
    'back\\slash': '1\\2',
  })
})

it('keeps the other packages, whatever is installed: a name is no pattern', () => {
  expect(
    install(['axb', '1'], ['a.b', '2'], ['driver[v2', '3'], ['a.b', '4'], ['1e1', '5'], ['10', '6']),
  ).toMatchObject({
    axb: '1',
    'a.b': '4',
    'driver[v2': '3',
    '1e1': '5',
    10: '6',
  })
})

it('names the newest ones, as many as a hello has room for', () => {
  const many = Array.from({ length: 180 }, (_, i) => `${'p'.repeat(60)}${i} ${'1'.repeat(60)}`)
  writeFileSync(join(root, 'usr/lib/iotagent/packages'), `${many.join('\n')}\n`)
  const told = runShell(root, `${agentParts('keys', 'status')}\nnewest_packages`)
    .trim()
    .split('\n')
  expect(told.length).toBeGreaterThan(50)
  expect(told.join('\n').length).toBeLessThan(8_192)
  expect(told).toEqual(many.slice(-told.length))
  writeFileSync(join(root, 'usr/lib/iotagent/packages'), 'a 1\nb 2\n')
  expect(runShell(root, `${agentParts('keys', 'status')}\nnewest_packages`)).toBe('a 1\nb 2\n')
})

it('is that of this firmware: it is nowhere that outlives an upgrade or a reset', () => {
  install(['hotfix', '1'])
  expect(existsSync(join(root, 'etc/iotagent/packages'))).toBe(false)
  const adopted = (path: string, text: string) => {
    rmSync(join(root, 'usr/lib/iotagent/packages'), { force: true })
    mkdirSync(join(root, 'etc/iotagent'), { recursive: true })
    writeFileSync(join(root, 'etc/iotagent/packages'), 'hotfix 1\n')
    mkdirSync(join(root, path), { recursive: true })
    writeFileSync(join(root, path, 'install.sh'), text)
    return runShell(
      root,
      `${agentParts('keys', 'status', 'install')}\nadopt_packages; newest_packages; ls "$STATE" | grep -c packages || true`,
    )
  }
  // An agent that was installed over the firmware goes on with the list of the one before.
  expect(adopted('usr/lib/iotagent', 'new')).toBe('hotfix 1\n0\n')
  // One that came with the firmware: the list is from before it.
  expect(adopted('rom/usr/lib/iotagent', 'new')).toBe('0\n')
})
