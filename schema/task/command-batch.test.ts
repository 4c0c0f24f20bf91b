import { expect, it } from 'vitest'
import { batchWaitS, groupLimit } from './command-batch.ts'

const pace = { atOnce: 200, perSecond: 10, shareOfGroup: 0.25 }

it.each([
  [1, 1],
  [3, 1],
  [4, 1],
  [7, 1],
  [8, 2],
  [1000, 250],
])('of %i devices of a group at most %i are away together', (count, limit) => {
  expect(groupLimit(pace, count)).toBe(limit)
})

it.each([
  ['one device', [1], 1],
  ['a group of four: one after the other', [4], 4],
  ['many small groups: side by side', [4, 4, 4, 4], 4],
  ['more than may be away at once', Array.from({ length: 5000 }, () => 1), 25],
])('a batch waits for every round: %s', (_, counts, rounds) => {
  expect(batchWaitS(pace, 300, counts)).toBe(900 + 300 * rounds)
})
