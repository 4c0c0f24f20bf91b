import { describe, expect, it } from 'vitest'
import {
  type Aggregate,
  aggregate,
  emptyAggregate,
  isGap,
  merged,
  sampleAverage,
  timeAverage,
} from './aggregate.ts'
import { counted, difference, emptyCounter } from './counter.ts'

describe('what a meter has counted', () => {
  it.each<[string, (number | null)[], number | null, number]>([
    ['steadily', [250, 252, 257], null, 7],
    ['one zero between two good values is no consumption', [8_000, 0, 8_001], null, 1],
    ['several drops in a row', [8_000, 0, 0, 3], null, 3],
    ['a new meter counts from what it shows', [8_000, 12, 15], null, 15],
    ['a drop at the end waits', [8_000, 8_004, 12], null, 4],
    ['a second drop settles the first', [8_000, 40, 5, 6], null, 46],
    ['a gap loses nothing', [100, null, null, 130], null, 30],
    ['16 bits begin again', [65_530, 4], 65_536, 10],
    ['a drop in the middle is no wrap', [30_000, 4, 6], 65_536, 6],
    ['a wrap that was a glitch is taken back', [65_000, 0, 65_002], 65_536, 2],
  ])('%s', (_, values, wrapAt, sum) => {
    expect(difference(values, wrapAt)).toBe(sum)
  })

  it('says when it was reset', () => {
    const dropped = counted(counted(emptyCounter, 500).counter, 3)
    expect(dropped).toMatchObject({ added: 0, reset: false })
    expect(counted(dropped.counter, 4)).toMatchObject({ added: 4, reset: true })
  })
})

describe('a bucket', () => {
  it.each<[string, Parameters<typeof aggregate>, number | null, number | null, number]>([
    [
      'weighs values by their time',
      [
        [0, 100],
        null,
        [
          [0, 5],
          [90, 50],
        ],
        1_000,
      ],
      9.5,
      27.5,
      100,
    ],
    ['carries a value in', [[100, 200], [80, 4], [[150, 8]], 1_000], 6, 8, 100],
    [
      'a bad value ends the one before',
      [
        [0, 100],
        null,
        [
          [0, 4],
          [25, null],
          [75, 8],
        ],
        1_000,
      ],
      6,
      6,
      50,
    ],
    ['a value stands no longer than it may', [[0, 100], null, [[0, 4]], 10], 4, 4, 10],
    ['a bad value carries nothing in', [[0, 100], [-10, null], [], 1_000], null, null, 0],
    ['nothing is null, not zero', [[0, 100], null, [], 1_000], null, null, 0],
  ])('%s', (_, of, byTime, bySample, covered) => {
    const result = aggregate(...of)
    expect([timeAverage(result), sampleAverage(result), result.covered]).toEqual([byTime, bySample, covered])
    expect(isGap(result, of[0])).toBe(covered < 50)
  })

  it('of an hour is its minutes put together', () => {
    const samples = Array.from({ length: 200 }, (_, i) => [18 * i, (i * i) % 97] as const)
    const hour = aggregate([0, 3_600], null, samples, 60)
    const minutes = Array.from({ length: 60 }, (_, m) => {
      const inside = samples.filter(([at]) => at >= 60 * m && at < 60 * m + 60)
      const before = samples.findLast(([at]) => at < 60 * m) ?? null
      return aggregate([60 * m, 60 * m + 60], before, inside, 60)
    })
    const together = minutes.reduce<Aggregate>(merged, emptyAggregate)
    expect(together).toEqual(hour)
  })
})
