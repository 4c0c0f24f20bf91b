/**
 * Takes two thirds off the processor time of a start [decisions/184]. It only affects what is imported after it: a
 * `main.ts` imports it first, and everything else dynamically.
 */
import { readFileSync } from 'node:fs'
import { enableCompileCache, type ResolveFnOutput, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

// Caches compiled code and type-stripped TypeScript between starts; has no effect if the folder is not writable.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))

const root = new URL('../', import.meta.url)
const { imports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  imports: Record<string, string>
}
/** `#room/` → the room's folder; only what stands for TypeScript. */
const rooms = new Map(
  Object.entries(imports).flatMap(([name, path]): [string, string][] =>
    path.endsWith('/*.ts') ? [[name.replace('*', ''), path.replace('*.ts', '')]] : [],
  ),
)

/** Node parses this package's package.json, 179 kB, for each of its hundreds of files, to find out that it is ESM. */
const LARGE = '/node_modules/drizzle-orm/'
const RELATIVE = /^\.{1,2}\//
const isPackage = (specifier: string) => /^[a-z@]/i.test(specifier) && !/^[a-z]+:/.test(specifier)

/** The file of this project that one of its imports means; null: Node finds it. */
function ownFile(specifier: string, parentURL: string): string | null {
  if (specifier.startsWith('#')) {
    const end = specifier.indexOf('/') + 1
    const folder = rooms.get(specifier.slice(0, end))
    return folder === undefined ? null : new URL(`${folder}${specifier.slice(end)}.ts`, root).href
  }
  const isFile = RELATIVE.test(specifier) || specifier.startsWith('file:')
  return isFile && specifier.endsWith('.ts') ? new URL(specifier, parentURL).href : null
}

/** What Node found for the name of a package: the same for all files of this project. */
const packages = new Map<string, ResolveFnOutput>()

// Node looks for a package.json in each folder above each file, and parses that of a package for each import of it.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL, conditions } = context
    if (parentURL === undefined) return nextResolve(specifier, context)
    if (parentURL.includes('/node_modules/')) {
      if (!parentURL.includes(LARGE) || !RELATIVE.test(specifier) || !specifier.endsWith('.js'))
        return nextResolve(specifier, context)
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
    }
    const url = ownFile(specifier, parentURL)
    if (url !== null) return { url, format: 'module-typescript', shortCircuit: true }
    if (!isPackage(specifier)) return nextResolve(specifier, context)
    // `require` and `import` may mean different files.
    const key = `${specifier} ${conditions.join()}`
    const found = packages.get(key) ?? { ...nextResolve(specifier, context), shortCircuit: true }
    packages.set(key, found)
    return found
  },
})
