import { expect, it } from 'vitest'
import { openThrottle, throttleLimits } from './throttle.ts'

it('closes what one address opens beyond its minute, tells of each, and of the first that it is the first', () => {
  let now = 0
  const told: string[] = []
  const throttle = openThrottle({
    now: () => now,
    tooMany: (ip, first) => told.push(first ? `${ip} first` : ip),
  })
  for (let i = 0; i < throttleLimits.connectsPerWindow; i++) expect(throttle.admit('10.0.0.1')).toBe(true)
  expect([1, 2].map(() => throttle.admit('10.0.0.1'))).toEqual([false, false])
  expect(throttle.admit('10.0.0.2')).toBe(true)
  expect(told).toEqual(['10.0.0.1 first', '10.0.0.1'])
  now += 60_000
  expect(throttle.admit('10.0.0.1')).toBe(true)
})
