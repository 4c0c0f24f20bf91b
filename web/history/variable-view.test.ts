import { beforeAll, expect, it, vi } from 'vitest'
import { shareOf } from './variable-download.tsx'
import { badSpans, type Series, withUnit } from './variable-view.ts'

beforeAll(() => vi.stubGlobal('localStorage', { getItem: () => 'en-US' }))

const at = [0, 60, 120, 180, 240].map((s) => new Date(s * 1_000).toISOString())
const series = (quality: (number | null)[], last: (number | null)[] = []) => ({ quality, last }) as Series

it('samples without a good value are bands until the next good one; times of other variables do not count', () => {
  const spans = badSpans(at, series([0, 1, null, 1, 0]), true)
  expect(spans).toMatchObject([{ fromMs: 60_000, toMs: 240_000, tone: 'offline' }])
  expect(badSpans(at, series([0, 0, 0, 0, 2]), true)).toMatchObject([{ fromMs: 240_000, toMs: null }])
})

it('of buckets only those are marked in which nothing was good', () => {
  const [one, ...more] = badSpans(at, series([0, 2, 3, 0, 0], [1, 5, null, 4, null]), false)
  expect(one).toMatchObject({ fromMs: 120_000, toMs: 180_000 })
  expect(more).toEqual([])
})

it('the last whole line of a file says how much of it has come', () => {
  const share = (end: string) => shareOf(end, '2026-10-01 00:00:00', '2026-10-01 10:00:00')
  expect(share('1,2\r\n2026-10-01 05:00:00,Main,5,Good\r\n')).toBe(0.5)
  expect(share('\n2026-10-01 02:00:00,Main,5,Good\r\n2026-10-01 05:0')).toBe(0.2)
  expect(share('5,Good')).toBeNull()
})

it('values below each other have the same decimals', () => {
  const volts = { unit: 'V' } as Series
  expect([228, 227.93, null].map((value) => withUnit(volts, value, 2))).toEqual(['228.00 V', '227.93 V', '–'])
  expect(withUnit({ unit: '-' } as Series, 0.9, 1)).toBe('0.9')
})
