import { setImmediate as soon } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { limitConcurrency } from './concurrency-limit.ts'

it('runs no more work at the same time than allowed, in order of arrival, also after a failure', async () => {
  const turns = limitConcurrency(2)
  let now = 0
  let most = 0
  const begun: number[] = []
  const work = (i: number) =>
    turns(async () => {
      begun.push(i)
      most = Math.max(most, ++now)
      await soon()
      now--
      if (i === 1) throw new Error('no')
      return i
    })
  const ended = await Promise.allSettled([0, 1, 2, 3, 4].map(work))
  expect(ended.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
  expect(most).toBe(2)
  expect(begun).toEqual([0, 1, 2, 3, 4])
})
