/**
 * docs/product-rules.md and docs/threats.md: each rule is covered by an existing test, or names the issue it waits
 * for.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gatherDeclared } from '#infra/gather'
import { gatherRefusals } from '#infra/refusals'
import { sayIn } from '#infra/say'
import { isCall } from '#schema/kit/call'
import { type HeldRule, isHeld, productRules, threats } from './held-rules.ts'
import { root, tracked } from './tracked-files.ts'

const calls = (await gatherDeclared(isCall)).map(({ method, path }) => `${method} ${path}`)
const english = [
  ...[...(await gatherRefusals()).values()].map(({ text }) => sayIn('en-US')(text)),
  ...tracked
    .filter((path) => /locales\/en-US\/.*\.json$/.test(path))
    .map((path) => readFileSync(join(root, path), 'utf8')),
].map((text) => text.toLowerCase())

const named = (rule: HeldRule) => [`${rule.section ? `§${rule.section} ` : ''}${rule.name}`, rule] as const
const all = [...productRules.map(named), ...threats.map(named)]

describe('a rule of the product, or a threat', () => {
  it.each(all)('%s is covered by a test', (_name, { heldBy, waitsFor }) => {
    expect(
      heldBy.filter((one) => !isHeld(one)),
      'no such test',
    ).toEqual([])
    expect(heldBy.length + waitsFor.length, 'neither a test nor an issue').toBeGreaterThan(0)
  })

  it('has a unique name', () => {
    const names = all.map(([name]) => name)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })

  it('is not lost unnoticed', () => {
    const count = (section: number) => productRules.filter((rule) => rule.section === section).length
    expect([5, 7, 8, 9].map(count)).toEqual([29, 30, 33, 30])
    expect(threats.length).toBeGreaterThanOrEqual(54)
    expect(threats.map(({ name }) => Number(name))).toEqual(threats.map((_, i) => i + 1))
  })
})

const declared = productRules.filter(({ section, waitsFor }) => section === 7 && waitsFor.length === 0)
it.each(declared.map(({ name }) => name.replaceAll('`', '')))('§7 %s is declared', (name) => {
  expect(calls).toContain(name)
})

const said = productRules
  .filter(({ section }) => section === 8)
  .flatMap(({ what }) => [...what.matchAll(/“([^”]+)”/g)].map((match) => match[1] ?? ''))
it.each(said)('§8 “%s” is a text of the product', (words) => {
  expect(english.some((text) => text.includes(words.toLowerCase()))).toBe(true)
})
