/** The worked examples of docs/adding.md, generated from the files in test/adding/. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../test/adding/', import.meta.url))

/** Rooms in the order of writing: declaration, storage, implementation, display. */
const rooms = ['schema', 'api', 'workers', 'device-sim', 'web', 'locales']
const roomOf = (path: string) => rooms.indexOf(path.split('/')[0] ?? '')

const shown = (path: string, text: string) =>
  `\`${path}\`\n\n\`\`\`${path.slice(path.lastIndexOf('.') + 1)}\n${text.trimEnd()}\n\`\`\``

/** Its files with their code, texts in English only. */
function exampleText(name: string): string {
  const files = readdirSync(`${folder}${name}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.\w+$/.test(path) && !/^locales\/zh-/.test(path))
    .toSorted((a, b) => roomOf(a) - roomOf(b) || (a < b ? -1 : 1))
  return files.map((path) => shown(path, readFileSync(`${folder}${name}/${path}`, 'utf8'))).join('\n\n')
}

/** By the name of the example. */
export const exampleTexts = (): readonly (readonly [string, string])[] =>
  readdirSync(folder)
    .toSorted()
    .map((name) => [name, exampleText(name)])
