import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { longestStandstill, patience, stopwatch } from './patience.ts'
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

it('a stopwatch counts what the process does and waits for, but not that it stood still', async () => {
  const stop = stopwatch()
  const standstill = longestStandstill()
  await sleep(300)
  // The thread does nothing in the meantime, as if the machine had stopped.
  execFileSync('sleep', ['2'])
  const waited = stop()
  expect(waited).toBeGreaterThan(250)
  expect(waited).toBeLessThan(1_500)
  expect(standstill()).toBeGreaterThan(1_500)

  const busy = stopwatch()
  const { user } = process.threadCpuUsage()
  while (process.threadCpuUsage().user - user < 400_000);
  expect(busy()).toBeGreaterThan(350)
})
