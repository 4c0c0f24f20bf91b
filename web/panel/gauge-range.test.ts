import { beforeAll, expect, it, vi } from 'vitest'
import { endText, gaugeRange, shareOf } from './gauge-range.ts'

beforeAll(() => {
  vi.stubGlobal('localStorage', { getItem: () => 'en-US' })
})

const row = (value: number | null, min: number | null = null, max: number | null = null) => ({
  value,
  min,
  max,
})

it.each([
  [{ least: 10, most: 50 }, row(12, 0, 100), { least: 10, most: 50 }],
  [{}, row(12, 0, 100), { least: 0, most: 100 }],
  [{}, row(231.5), { least: 0, most: 500 }],
  [{}, row(-3), { least: -5, most: 100 }],
  [{}, row(0.02), { least: 0, most: 0.02 }],
  [{}, row(null), { least: 0, most: 100 }],
  [{ least: 400 }, row(231), { least: 400, most: 500 }],
  [{ least: 9, most: 9 }, row(1), { least: 9, most: 10 }],
])('ends %o of %o are %o', (said, of, ends) => {
  expect(gaugeRange(said, of)).toEqual(ends)
})

it('a value beyond the range is shown at its end', () => {
  expect([-5, 0, 25, 100, 900].map((value) => shareOf(value, { least: 0, most: 100 }))).toEqual([
    0, 0, 0.25, 1, 1,
  ])
})

it('ends below 1 are not rounded to whole numbers', () => {
  expect([0, 0.02, -0.5, 1.2, 1000].map(endText)).toEqual(['0', '0.02', '-0.5', '1.2', '1,000'])
})
