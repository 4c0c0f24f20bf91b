import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))

/** Prints every import that this project's files and drizzle-orm's make in a room: the file that it means and its kind. */
const loadAll = (quick: boolean) => `
  import { registerHooks } from 'node:module'
  if (${quick}) await import('#infra/quick-start')
  const found = new Set()
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const { url, format } = nextResolve(specifier, context)
      const of = context.parentURL ?? ''
      if (/drizzle-orm/.test(of) || (!/node_modules|quick-start/.test(of) && !specifier.includes('quick-start')))
        found.add([of, specifier, url, format].join(' '))
      return { url, format, shortCircuit: true }
    },
  })
  await import('./broker/start.ts')
  const { gatherDeclared } = await import('#infra/gather')
  await gatherDeclared(() => false)
  process.stdout.write([...found].sort().join('\\n'), () => process.exit(0))`

const importsOf = async (quick: boolean) => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', loadAll(quick)], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout.split('\n')
}

describe('the quick start', () => {
  it('finds for each import what Node finds', async () => {
    const [plain, quick] = await Promise.all([importsOf(false), importsOf(true)])
    expect(plain.length).toBeGreaterThan(1_000)
    expect(quick).toEqual(plain)
  })
})
