/** The tables of docs/product-rules.md and docs/threats.md as values. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { testTitles } from './test-titles.ts'
import { root, tracked } from './tracked-files.ts'

export type HeldRule = {
  /** The number of its section: of §5 it is 5; 0 where sections have none. */
  section: number
  name: string
  what: string
  heldBy: { word: string; title: string }[]
  waitsFor: number[]
}

function readRule(section: number, line: string): HeldRule {
  const [name = '', what = '', ...rest] = line
    .slice(1, -1)
    .split(' | ')
    .map((cell) => cell.trim())
  const parts = (rest.at(-1) ?? '').split(' · ')
  return {
    section,
    name,
    what,
    waitsFor: parts.flatMap((part) => /^issue (\d+)$/.exec(part)?.[1] ?? []).map(Number),
    heldBy: parts
      .filter((part) => part.includes(': '))
      .map((part) => ({
        word: part.slice(0, part.indexOf(': ')),
        title: part.slice(part.indexOf(': ') + 2),
      })),
  }
}

function readRules(path: string): HeldRule[] {
  const rules: HeldRule[] = []
  let section = 0
  for (const line of readFileSync(join(root, path), 'utf8').split('\n')) {
    if (line.startsWith('## ')) section = Number(/^## §(\d+) /.exec(line)?.[1] ?? 0)
    else if (line.startsWith('| ') && !/^\| (Rule|N|---) \|/.test(line)) rules.push(readRule(section, line))
  }
  return rules
}

export const productRules = readRules('docs/product-rules.md')
export const threats = readRules('docs/threats.md')

const tests = Map.groupBy(
  tracked.filter((path) => /\.test\.tsx?$/.test(path)),
  (path) => basename(path).replace(/\.test\.tsx?$/, ''),
)

const titles = new Map<string, string[]>()
/** Parsed once per file, and only files that a rule names. */
function titlesIn(path: string): string[] {
  const found = titles.get(path) ?? testTitles(path, readFileSync(join(root, path), 'utf8'))
  titles.set(path, found)
  return found
}

/** Whether a test or a group of tests of that file has a title that contains this; `bench: word` is a benchmark. */
export const isHeld = ({ word, title }: { word: string; title: string }): boolean =>
  word === 'bench'
    ? existsSync(join(root, `bench/${title}.ts`))
    : (tests.get(word) ?? []).some((path) => titlesIn(path).some((one) => one.includes(title)))
