import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FIRST_FILES } from '#schema/platform/first-files'
import { forFirstVisits } from './first-visit.ts'

type Hooks = {
  configResolved(config: { build: { outDir: string; assetsDir: string } }): void
  writeBundle(options: object, bundle: object): Promise<void>
  closeBundle(): Promise<void>
}

it('the list of files says that a build is complete: it is written after the last of them', async () => {
  const build = async (out: string) => {
    const hooks = forFirstVisits() as unknown as Hooks
    hooks.configResolved({ build: { outDir: out, assetsDir: 'assets' } })
    await hooks.writeBundle({}, {})
    await hooks.closeBundle()
  }
  const out = mkdtempSync(join(tmpdir(), 'build-'))
  mkdirSync(join(out, 'assets/two.js'), { recursive: true })
  writeFileSync(join(out, 'assets/one.js'), 'x'.repeat(5_000))
  // Not a file: compressing ends there, as when the build is interrupted.
  await expect(build(out)).rejects.toThrow('EISDIR')
  expect(existsSync(join(out, FIRST_FILES))).toBe(false)
  rmdirSync(join(out, 'assets/two.js'))
  await build(out)
  expect(existsSync(join(out, 'assets/one.js.br'))).toBe(true)
  expect(JSON.parse(readFileSync(join(out, FIRST_FILES), 'utf8'))).toHaveProperty('pages')
})
