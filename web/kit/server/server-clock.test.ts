import { expect, it } from 'vitest'
import { narrowed } from './server-clock.ts'

it('the offset lies between the bounds that one response allows', () => {
  // The server is 10 minutes ahead; it wrote 600,000 between the browser's 100 and 140, cut to whole seconds.
  const told = narrowed(null, 600_000, 100, 140)
  expect(told.least).toBeLessThanOrEqual(600_000 - 120)
  expect(told.most).toBeGreaterThanOrEqual(600_000 - 120)
})

it('more responses narrow it, down to the resolution of neither', () => {
  const offsetMs = -600_000
  let known = null as ReturnType<typeof narrowed> | null
  for (let at = 1_000_000; at < 1_030_000; at += 1_370)
    known = narrowed(known, Math.floor((at + 10 + offsetMs) / 1000) * 1000, at, at + 20)
  expect(known?.least).toBeLessThanOrEqual(offsetMs)
  expect(known?.most).toBeGreaterThanOrEqual(offsetMs)
  expect((known?.most ?? 0) - (known?.least ?? 0)).toBeLessThan(300)
})

it('a clock that was set starts again', () => {
  const known = narrowed(null, 600_000, 100, 140)
  expect(narrowed(known, 900_000, 500, 540)).toEqual({ least: 899_460, most: 900_500 })
})
