import { expect, it } from 'vitest'
import { openThrottle, throttleLimits } from './throttle.ts'

it('closes connections beyond the limit per minute of one address, reports each, and marks the first', () => {
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

it('counts the addresses of one IPv6 network of 64 bits together', () => {
  const throttle = openThrottle()
  for (let i = 0; i < throttleLimits.connectsPerWindow; i++)
    expect(throttle.admit(`2001:db8::${(i % 65_536).toString(16)}`)).toBe(true)
  expect(throttle.admit('2001:db8::ffff:1')).toBe(false)
  expect(throttle.admit('2001:db8:0:1::1')).toBe(true)
})

it('wrong credentials that waited while a minute ended do not count as waiting in all minutes after it', async () => {
  let now = 0
  const { failed } = openThrottle({ now: () => now })
  const failures = (count: number) => Promise.all(Array.from({ length: count }, () => failed('192.0.2.7')))
  const delayed = failures(throttleLimits.freeFailures + 100)
  now = 60_000
  expect(await failed('192.0.2.7')).toBe(true)
  expect((await delayed).every(Boolean)).toBe(true)
  expect(await failures(throttleLimits.freeFailures)).not.toContain(false)
})
