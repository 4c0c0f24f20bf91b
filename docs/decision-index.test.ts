import { describe, expect, it } from 'vitest'
import { decisions, readDecision } from './decision-index.ts'

const records = decisions()
const numbers = records.map(({ number }) => number)

describe('every decision record', () => {
  it('has a unique number', () => {
    expect(numbers.filter((number, i) => numbers.indexOf(number) !== i)).toEqual([])
  })

  it('that is superseded names the newer one, which refers to it', () => {
    const broken = records.filter(({ number, supersededBy }) => {
      const later = records.find((record) => record.number === supersededBy)
      return supersededBy !== null && !later?.text.includes(number)
    })
    expect(broken.map(({ file }) => file)).toEqual([])
  })

  it('refers only to existing records', () => {
    const named = (text: string) =>
      [...text.matchAll(/\((\d{3})\)|\bdecision (\d{3})\b|: (\d{3})\./g)].map(
        ([, a, b, c]) => a ?? b ?? c ?? '',
      )
    const broken = records.filter(({ text }) => named(text).some((number) => !numbers.includes(number)))
    expect(broken.map(({ file }) => file)).toEqual([])
  })
})

it.each([
  [
    'no number',
    '010-x.md',
    '# A title\n\n2026-01-01 · accepted · api\n',
    'does not begin with "# 010 Title"',
  ],
  ['another number', '010-x.md', '# 011 A title\n\n2026-01-01 · accepted · api\n', 'does not begin with'],
  ['no status', '010-x.md', '# 010 A title\n\nIt was decided.\n', 'line 3'],
  ['no subject', '010-x.md', '# 010 A title\n\n2026-01-01 · accepted\n', 'line 3'],
  ['no successor', '010-x.md', '# 010 A title\n\n2026-01-01 · superseded · api\n', 'line 3'],
])('a record with %s is refused', (_what, file, text, message) => {
  expect(() => readDecision(file, text)).toThrow(message)
})
