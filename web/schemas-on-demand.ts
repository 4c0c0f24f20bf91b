/**
 * Build step: keeps zod out of the first download. The browser reads of a declaration its path and name; the
 * schemas in it matter only where a form or a draft is validated. So modules of `schema/` see an inert zod, except
 * when they are imported by a file that imports zod itself, or with `?zod`: those get the real thing, in their own
 * chunk. The screens come as plain values (`virtual:screens`), read from the same declarations.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { isScreen } from '#schema/kit/screen'

const SCHEMA = fileURLToPath(new URL('../schema/', import.meta.url))
const INERT = fileURLToPath(new URL('./kit/form/inert-zod.ts', import.meta.url))
const REAL = '?zod'
const SCREENS = 'virtual:screens'

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

async function readScreens() {
  const files = readdirSync(SCHEMA, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.ts$/.test(file) && !/\.test\.ts$|^(kit|tables|refusals|migrations)\//.test(file),
  )
  const modules = await Promise.all(
    files.map((file) => import(new URL(`../schema/${file}`, import.meta.url).href)),
  )
  return modules.flatMap((module) => Object.values(module)).filter(isScreen)
}

export function schemasOnDemand(): Plugin {
  return {
    name: 'schemas-on-demand',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (source === SCREENS) return `\0${SCREENS}`
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
    async load(id) {
      if (id === `\0${SCREENS}`) return `export default ${JSON.stringify(await readScreens())}`
      return id.endsWith(REAL) ? readFileSync(pathOf(id), 'utf8') : null
    },
  }
}
