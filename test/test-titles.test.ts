import { describe, expect, it } from 'vitest'
import { isHeld } from './held-rules.ts'
import { testTitles } from './test-titles.ts'

describe('the title of a test', () => {
  it.each([
    ["it('works', () => {})", ['works']],
    ["describe('a call', () => { it(`returns`, () => {}) })", ['a call', 'returns']],
    ["describe.skipIf(process.env['CI'])('by hand', () => {})", ['by hand']],
    [
      "it.each([['a name', 1], ['a port', 2]] as const)('%s is refused', () => {})",
      ['%s is refused', 'a name is refused', 'a port is refused'],
    ],
    ["it.each(['4', '6'])('accepts %s', () => {})", ['accepts %s', 'accepts 4', 'accepts 6']],
  ])('is read from %s', (text, titles) => {
    expect(testTitles('a.test.ts', text)).toEqual(titles)
  })

  it.each([
    "// it('works', () => {})",
    "it.skip('works', () => {})",
    "it.todo('works')",
    "const title = 'works'",
    "expect('works').toBe('works')",
    "call('works', () => {})",
  ])('is not %s', (text) => {
    expect(testTitles('a.test.ts', text)).toEqual([])
  })
})

it('a text of a test file that is no title checks no rule', () => {
  expect(isHeld({ word: 'test-titles', title: 'a text of a test file that is no title' })).toBe(true)
  expect(isHeld({ word: 'test-titles', title: 'is read from %s' })).toBe(true)
  // This comment: an entry that names it.
  expect(isHeld({ word: 'test-titles', title: 'This comment' })).toBe(false)
  expect(isHeld({ word: 'test-titles', title: 'vitest' })).toBe(false)
})
