/**
 * A tag in the sources refers to something: `[§5 Group]` to a rule of docs/product-rules.md, `[threats 29]` to a row
 * of docs/threats.md, `[decisions/064]` to a record. Tags of standards, such as `[MQTT-3.3.1-9]`, refer to external
 * documents.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { productRules, threats } from './held-rules.ts'
import { root, tracked } from './tracked-files.ts'

const sources = tracked.filter(
  (path) => /\.(tsx?|md|sql|css|json|sh)$/.test(path) && !/^(docs\/generated|package-lock)/.test(path),
)
const records = tracked.flatMap((path) => /^docs\/decisions\/(\d{3})-/.exec(path)?.[1] ?? [])
const sections = new Set(productRules.map(({ section }) => section))

const hasRule = (section: number, words: string) =>
  productRules.some(
    (rule) => rule.section === section && rule.name.toLowerCase().includes(words.toLowerCase()),
  )

/** `§3 User, §6` and `§3 Printer, Printer driver` name two rules, `31–33` and `31, 32` several threats. */
function leadsNowhere(tag: string): boolean {
  if (tag.startsWith('decisions/')) return !records.includes(tag.slice('decisions/'.length))
  if (tag.startsWith('threats'))
    return (
      !/^threats( \d+([,–] ?\d+)*)$/.test(tag) ||
      [...tag.matchAll(/\d+/g)].some(([n]) => Number(n) > threats.length || n === '0')
    )
  let section = 0
  return tag.split(', ').some((part) => {
    const [, number, words = part] = /^§(\d+) ?(.*)$/.exec(part) ?? []
    if (number !== undefined) section = Number(number)
    return !sections.has(section) || (words !== '' && !hasRule(section, words))
  })
}

const tags = sources.flatMap((path) =>
  [
    ...readFileSync(join(root, path), 'utf8').matchAll(
      /\[(§[^\]\n]*|threats[^\]\n]*|decisions\/[^\]\n]*)\]/g,
    ),
  ].map((match) => ({ path, tag: match[1] ?? '' })),
)

describe('a tag', () => {
  it('leads to a rule, a threat or a record', () => {
    expect(tags.length).toBeGreaterThan(200)
    const examples = ['test/tags.test.ts', 'docs/decisions/README.md', 'docs/threats.md']
    expect(tags.filter(({ path, tag }) => !examples.includes(path) && leadsNowhere(tag))).toEqual([])
  })

  it.each(['§10', '§5 Nothing', '§3 User, Nothing', 'threats 999', 'threats.md', 'decisions/999'])(
    'that names %s is noticed',
    (tag) => {
      expect(leadsNowhere(tag)).toBe(true)
    },
  )

  it('of a document that is not in the repository does not exist', () => {
    const strays = sources
      .filter((path) => path !== 'test/tags.test.ts')
      .filter((path) =>
        /\[(field|stack|console|house|threats|spec)\.md|\(house\.md\)/.test(
          readFileSync(join(root, path), 'utf8'),
        ),
      )
    expect(strays).toEqual([])
  })
})
