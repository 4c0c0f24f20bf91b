import { afterEach, expect, it, vi } from 'vitest'
import { patience } from './patience.ts'
import { until } from './walks/until.ts'

afterEach(() => vi.restoreAllMocks())

it('what takes longer than the patience of a test is given up', () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const isOver = patience(1_500)
  const looks = [500, 1_000, 1_400, 1_600].map((at) => {
    now = at
    return isOver()
  })
  expect(looks).toEqual([false, false, false, true])
})

it('a machine that stands still for longer than a test waits fails none', async () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  let looks = 0
  const happened = until(
    'it happens',
    () => {
      // It stands still for a minute after the first look.
      if (++looks === 1) now += 60_000
      return looks === 3
    },
    5_000,
  )
  await expect(happened).resolves.toBe(true)
  expect(looks).toBe(3)
})
