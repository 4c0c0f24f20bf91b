/** A copy of the tree with the worked examples of docs/adding.md on top, as if someone had just written them. */
import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root, tracked } from './tracked-files.ts'

const FOLDER = 'test/adding/'

/** Its files with their paths in the tree, without the folder of the example. */
export const filesOf = (example: string): string[] =>
  tracked
    .filter((path) => path.startsWith(`${FOLDER}${example}/`))
    .map((path) => path.slice(FOLDER.length + example.length + 1))

export const isLocale = (path: string) => path.startsWith('locales/')

type Texts = { [key: string]: string | Texts }
const readTexts = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Texts

function merged(into: Texts, more: Texts): Texts {
  const both = { ...into }
  for (const [key, value] of Object.entries(more)) {
    const there = both[key]
    both[key] = typeof value === 'object' && typeof there === 'object' ? merged(there, value) : value
  }
  return both
}

/** @throws if an example replaces a file of the tree: it must only add files */
function lay(example: string, copy: string): void {
  for (const path of filesOf(example)) {
    const [from, to] = [join(root, FOLDER, example, path), join(copy, path)]
    mkdirSync(dirname(to), { recursive: true })
    if (!existsSync(to)) cpSync(from, to)
    else if (isLocale(path))
      writeFileSync(to, `${JSON.stringify(merged(readTexts(to), readTexts(from)), null, 2)}\n`)
    else throw new Error(`${example} replaces ${path}`)
  }
}

/** Runs a program in the copy. @throws with its output when it fails */
export type Run = (program: string, ...args: string[]) => Promise<void>

type Copy = { run: Run; read: (path: string) => string; remove: () => void }

export function makeCopy(examples: readonly string[]): Copy {
  const copy = mkdtempSync(join(tmpdir(), 'iot-adding-'))
  for (const path of tracked) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    cpSync(join(root, path), join(copy, path))
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const example of examples) lay(example, copy)
  // Some tests, and Biome, ask git for the list of files.
  execFileSync('git', ['init', '--quiet'], { cwd: copy })
  const run: Run = async (program, ...args) => {
    const path = `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`
    const env: NodeJS.ProcessEnv = { ...process.env, PATH: path, NO_COLOR: '1' }
    // Environment variables of the outer test runner must not reach the inner one.
    for (const name of Object.keys(env)) if (/^(VITEST|TEST_COUNTS|NODE_OPTIONS)/.test(name)) delete env[name]
    await new Promise<void>((done, fail) => {
      execFile(program, args, { cwd: copy, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
        error ? fail(new Error(`${program} ${args.join(' ')}\n${stdout}\n${stderr}`)) : done(),
      )
    })
  }
  return {
    run,
    read: (path) => readFileSync(join(copy, path), 'utf8'),
    remove: () => rmSync(copy, { recursive: true, force: true }),
  }
}
