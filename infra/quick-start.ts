/**
 * Halves the processor time of a start. It only affects what is imported after it: a `main.ts` imports it first, and
 * everything else dynamically.
 */
import { enableCompileCache, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

// Caches compiled code and type-stripped TypeScript between starts; has no effect if the folder is not writable.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))

/** Node parses this package's package.json, 179 kB, for each of its hundreds of files, to find out that it is ESM. */
const LARGE = '/node_modules/drizzle-orm/'

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL } = context
    if (!parentURL?.includes(LARGE) || !/^\.{1,2}\/.*\.js$/.test(specifier))
      return nextResolve(specifier, context)
    return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
  },
})
