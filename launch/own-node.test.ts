import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const dir = mkdtempSync(join(tmpdir(), 'iot-own-node-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const script = fileURLToPath(new URL('own-node.mjs', import.meta.url))
const program = `node-${process.platform}-${process.arch}/bin/node`

/** An installation with the given files. */
function installation(...files: string[]): string {
  const modules = join(dir, crypto.randomUUID())
  mkdirSync(modules)
  for (const file of files) {
    mkdirSync(join(modules, file, '..'), { recursive: true })
    writeFileSync(join(modules, file), '')
  }
  return modules
}
const link = (modules: string) => join(modules, '.bin/node')
const settle = (modules: string) =>
  spawnSync(process.execPath, [script, modules], { encoding: 'utf8' }).stderr

describe('after an installation', () => {
  it('the Node of its package is linked where the scripts look first, if npm did not do it', () => {
    const modules = installation(program)
    expect(settle(modules)).toBe('')
    expect(readlinkSync(link(modules))).toBe(`../${program}`)
    expect(existsSync(link(modules))).toBe(true)
    expect(settle(modules)).toBe('')
  })

  it('a link that npm made stays', () => {
    const modules = installation(program, '.bin/other')
    symlinkSync('other', link(modules))
    expect(settle(modules)).toBe('')
    expect(readlinkSync(link(modules))).toBe('other')
  })

  it('nothing is linked on a platform without such a package', () => {
    const modules = installation('node-elsewhere/bin/node')
    expect(settle(modules)).toBe('')
    expect(existsSync(link(modules))).toBe(false)
  })
})
