import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

type Is<T> = (value: unknown) => value is T
/** The word is the name of the file. */
type Found<T> = { value: T; word: string }

type Loaded = { word: string; module: Record<string, unknown> }
/**
 * What was loaded, by folder: each room gathers a dozen kinds of declarations from the same hundreds of modules, and in
 * tests each import is a request to another process.
 */
const loaded = new Map<string, Promise<Loaded[]>>()

/** The names of a folder's modules, without tests and generated ones. */
export const wordsIn = (folder: URL): string[] =>
  readdirSync(fileURLToPath(folder))
    .sort()
    .filter((file) => /\.ts$/.test(file) && !/\.(test|gen)\.ts$/.test(file))
    .map((file) => basename(file, '.ts'))

async function load(folder: URL): Promise<Loaded[]> {
  const modules: Loaded[] = []
  for (const word of wordsIn(folder)) {
    const module = (await import(new URL(`${word}.ts`, folder).href)) as Record<string, unknown>
    modules.push({ word, module })
  }
  return modules
}

async function gatherIn<T>(folder: URL, is: Is<T>): Promise<Found<T>[]> {
  const dir = fileURLToPath(folder)
  const modules = loaded.get(dir) ?? load(folder)
  loaded.set(dir, modules)
  return (await modules).flatMap(({ word, module }) =>
    Object.values(module)
      .filter(is)
      .map((value) => ({ value, word })),
  )
}

/**
 * Imports every module of a folder (except tests) and returns all exported values that `is` accepts. @param folder a
 * `new URL('./calls/', import.meta.url)` @throws whatever a module throws while loading: a room with a broken module
 * must not start.
 */
export const gather = async <T>(folder: URL, is: Is<T>): Promise<T[]> =>
  (await gatherIn(folder, is)).map(({ value }) => value)

/** Folders that are not subjects: the makers, what only servers may import, and folders without modules. */
const notSubjects = new Set(['kit', 'tables', 'migrations', 'uplinks'])

async function gatherInSubjects<T>(room: URL, is: Is<T>): Promise<Found<T>[]> {
  const found: Found<T>[] = []
  for (const entry of readdirSync(fileURLToPath(room), { withFileTypes: true })) {
    if (!entry.isDirectory() || notSubjects.has(entry.name)) continue
    const folder = new URL(`${entry.name}/`, room)
    found.push(...(await gatherIn(folder, is)), ...(await gatherInSubjects(folder, is)))
  }
  return found
}

/**
 * The same for all subject folders of a room; the room's own files and its kit are left out. @param room a `new
 * URL('./', import.meta.url)`
 */
export const gatherSubjects = async <T>(room: URL, is: Is<T>): Promise<T[]> =>
  (await gatherInSubjects(room, is)).map(({ value }) => value)

const schemaRoom = new URL('../schema/', import.meta.url)
/** All declarations of one kind. */
export const gatherDeclared = <T>(is: Is<T>): Promise<T[]> => gatherSubjects(schemaRoom, is)
/** The word in which each of them is declared. */
export const gatherWords = async <T>(is: Is<T>): Promise<ReadonlyMap<T, string>> =>
  new Map((await gatherInSubjects(schemaRoom, is)).map(({ value, word }) => [value, word]))

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
