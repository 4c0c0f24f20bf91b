import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Imports every module of a folder (except tests) and returns all exported values that `is` accepts. @param folder a
 * `new URL('./calls/', import.meta.url)` @throws whatever a module throws while loading: a room with a broken module
 * must not start.
 */
export async function gather<T>(folder: URL, is: (value: unknown) => value is T): Promise<T[]> {
  const dir = fileURLToPath(folder)
  const found: T[] = []
  for (const file of readdirSync(dir).sort()) {
    if (!/\.ts$/.test(file) || /\.(test|gen)\.ts$/.test(file)) continue
    const module = (await import(pathToFileURL(join(dir, file)).href)) as Record<string, unknown>
    for (const value of Object.values(module)) if (is(value)) found.push(value)
  }
  return found
}

/** Folders that are not subjects: the makers, what only servers may import, and folders without modules. */
const notSubjects = new Set(['kit', 'tables', 'migrations', 'uplinks'])

/**
 * The same for all subject folders of a room; the room's own files and its kit are left out. @param room a `new
 * URL('./', import.meta.url)`
 */
export async function gatherSubjects<T>(room: URL, is: (value: unknown) => value is T): Promise<T[]> {
  const found: T[] = []
  for (const entry of readdirSync(fileURLToPath(room), { withFileTypes: true })) {
    if (!entry.isDirectory() || notSubjects.has(entry.name)) continue
    const folder = new URL(`${entry.name}/`, room)
    found.push(...(await gather(folder, is)), ...(await gatherSubjects(folder, is)))
  }
  return found
}

const schemaRoom = new URL('../schema/', import.meta.url)
/** All declarations of one kind. */
export const gatherDeclared = <T>(is: (value: unknown) => value is T): Promise<T[]> =>
  gatherSubjects(schemaRoom, is)

/** Names of `declared` that `handled` lacks, that are handled twice, or that are handled without being declared. */
export function mismatch(declared: readonly string[], handled: readonly string[]): string[] {
  const twice = (names: readonly string[]) => names.filter((name, i) => names.indexOf(name) !== i)
  return [
    ...twice(declared).map((name) => `${name} is declared twice`),
    ...declared.filter((name) => !handled.includes(name)).map((name) => `${name} has no handler`),
    ...twice(handled).map((name) => `${name} has two handlers`),
    ...handled
      .filter((name) => !declared.includes(name))
      .map((name) => `${name} is handled but not declared`),
  ]
}
