/**
 * Build step: keeps zod out of the first download. The browser reads of a declaration its path and name; the
 * schemas in it matter only where a form or a draft is validated. So modules of `schema/` see an inert zod, except
 * when they are imported by a file that imports zod itself, or with `?zod`: those get the real thing, in their own
 * chunk.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const SCHEMA = fileURLToPath(new URL('../schema/', import.meta.url))
const INERT = fileURLToPath(new URL('./kit/form/inert-zod.ts', import.meta.url))
const REAL = '?zod'

const inSchema = (id: string) => id.startsWith(SCHEMA)
const pathOf = (id: string) => id.split('?')[0] ?? id

/** `import { z } from 'zod'`, not `import type`. */
const usesZod = new Map<string, boolean>()
function importsZod(file: string): boolean {
  const known = usesZod.get(file)
  if (known !== undefined) return known
  const found = /^import (?!type )[^;]*? from 'zod'/m.test(readFileSync(file, 'utf8'))
  usesZod.set(file, found)
  return found
}

export function schemasOnDemand(): Plugin {
  return {
    name: 'schemas-on-demand',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!importer) return null
      const from = pathOf(importer)
      if (source === 'zod') return inSchema(from) && !importer.endsWith(REAL) ? INERT : null
      const real =
        source.endsWith(REAL) ||
        importer.endsWith(REAL) ||
        (source.startsWith('#schema/') && !inSchema(from) && importsZod(from))
      if (!real) return null
      const resolved = await this.resolve(pathOf(source), from, { ...options, skipSelf: true })
      return resolved && inSchema(resolved.id) ? pathOf(resolved.id) + REAL : resolved
    },
    load(id) {
      return id.endsWith(REAL) ? readFileSync(pathOf(id), 'utf8') : null
    },
  }
}
