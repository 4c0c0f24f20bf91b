/** The SSH keys that may log in: a package of UCI for the platform, a file for Dropbear, and neither loses what the other has. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { missingTools, Router } from '#test/openwrt/router'

if (missingTools.length > 0)
  console.warn(`SKIPPED: SSH keys of a router, because ${missingTools.join(', ')} is not installed`)

const FILE = 'etc/dropbear/authorized_keys'
const PACKAGE = 'etc/config/sshkeys'
const key = (name: string) =>
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIVlYAbrutFnbPDuGSomtCxnAj9vKPninAE6esN+6byc ${name}`
const packageOf = (...lines: string[]) =>
  lines.map((line) => `\nconfig key\n\toption line '${line.replaceAll("'", "'\\''")}'\n`).join('')

describe.skipIf(missingTools.length > 0)('the SSH keys of a router', () => {
  let router: Router
  const run = (script: string) => router.ask(['keys', 'journal', 'status'], script)
  const sync = () => run('sync_keys')
  /** All that the agent loads, in its order. */
  const parts = () =>
    /^for part in ([a-z ]+); do/m.exec(router.read('usr/sbin/iotagent'))?.[1]?.split(' ') ?? []

  beforeEach(() => {
    router = new Router({ host: '127.0.0.1', port: '1', serial: 'OWRT-3', key: '' })
    router.program('etc/init.d/dropbear', '# USE_PROCD=1')
    router.write('etc/config/iotagent', `${router.read('etc/config/iotagent')}\tlist package 'sshkeys'\n`)
  })
  afterEach(() => router.close())

  it('that are in the file at first are what the platform reads', () => {
    router.write(FILE, `# of the shop\r\n${key("anna's laptop")}\r\n\n${key('ben')}`)
    sync()
    expect(router.read(PACKAGE)).toBe(packageOf(key("anna's laptop"), key('ben')))
    expect(run('abilities')).toContain('sshKeys')
    // As it was, with its comment.
    const before = router.read(FILE)
    sync()
    expect(router.read(FILE)).toBe(before)
  })

  it('that are in the package reach the file', () => {
    router.write(PACKAGE, packageOf(key("anna's laptop")))
    sync()
    expect(router.read(FILE)).toBe(`${key("anna's laptop")}\n`)
    router.write(PACKAGE, '')
    sync()
    expect(router.read(FILE)).toBe('')
  })

  it('are those of Dropbear, and not those that sign packages, where the whole agent runs', () => {
    expect(parts()).toContain('upgrade')
    router.write(PACKAGE, packageOf(key('anna')))
    router.ask(parts(), 'sync_keys')
    expect(router.read(FILE)).toBe(`${key('anna')}\n`)
    // Whatever is there is a key that packages must be signed with.
    expect(router.list('etc/iotagent')).not.toContain('keys')
    expect(router.ask(parts(), 'distrusted')).toBe('')
  })

  it('no part of the agent gives another value to a name of another one', () => {
    const files = parts().map((part) => `usr/lib/iotagent/${part}.sh`)
    const names = ['usr/sbin/iotagent', 'usr/lib/iotagent/base.sh', ...files].flatMap((file) => [
      ...new Set(Array.from(router.read(file).matchAll(/^([A-Z][A-Z_]*)=/gm), ([, name]) => name)),
    ])
    expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([])
  })

  it('that somebody adds to the file differ from what was set', () => {
    router.write(PACKAGE, packageOf(key('anna')))
    sync()
    const before = run('package_hash sshkeys')
    router.write(FILE, `${key('anna')}\n${key('stranger')}\n`)
    sync()
    expect(router.read(PACKAGE)).toBe(packageOf(key('anna'), key('stranger')))
    expect(run('package_hash sshkeys')).not.toBe(before)
  })

  it('are those of a change while it is tried, and the former ones after it is taken back', () => {
    router.write(PACKAGE, packageOf(key('anna')))
    sync()
    router.write('etc/iotagent/pending/before/sshkeys', packageOf(key('anna')))
    router.write('etc/iotagent/pending/after/sshkeys', packageOf(key('ben')))
    router.write('etc/iotagent/pending/files/list', '')
    router.write('etc/iotagent/pending/revision', '1\n')
    const before = run('package_hash sshkeys').trim()
    run(
      `printf '%s' "sshkeys ${before} $(uci -q export "$PENDING/after/sshkeys" | sha256sum | cut -c1-64)" >"$PENDING/packages"; echo >>"$PENDING/packages"; swap_in; echo trial >"$PENDING/phase"`,
    )
    expect(router.read(FILE)).toBe(`${key('ben')}\n`)
    sync()
    expect(router.read(FILE)).toBe(`${key('ben')}\n`)
    // At a boot, before anything else starts.
    router.boot()
    expect(router.read(PACKAGE)).toBe(packageOf(key('anna')))
    expect(router.read(FILE)).toBe(`${key('anna')}\n`)
  })

  it('are left alone where there is no Dropbear, or they are not managed', () => {
    router.remove('etc/init.d/dropbear')
    router.write(FILE, `${key('anna')}\n`)
    sync()
    expect(router.read(PACKAGE)).toBe('')
    expect(run('abilities')).not.toContain('sshKeys')
  })
})
