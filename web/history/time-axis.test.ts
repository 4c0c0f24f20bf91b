import { expect, it } from 'vitest'
import { NEAR_MS, stretches, untilOf, windowOf } from './time-axis.ts'

const at = (ms: number) => new Date(ms).toISOString()
const event = (ms: number, kind: 'online' | 'offline' | 'alarm') => ({ at: at(ms), kind })

it('the connection before the first event in view is that of the last one before it', () => {
  const events = [event(150, 'offline'), event(50, 'online'), event(120, 'alarm')]
  expect(stretches(events, 100, 200)).toEqual([
    { fromMs: 100, toMs: 150, state: 'online' },
    { fromMs: 150, toMs: 200, state: 'offline' },
  ])
})

it('without an event before it the connection is unknown, not offline', () => {
  expect(stretches([event(150, 'online')], 100, 200)).toEqual([
    { fromMs: 100, toMs: 150, state: 'unknown' },
    { fromMs: 150, toMs: 200, state: 'online' },
  ])
  expect(stretches([], 100, 200)).toEqual([{ fromMs: 100, toMs: 200, state: 'unknown' }])
})

it('a repeated event and one after the window change nothing', () => {
  const events = [event(50, 'online'), event(130, 'online'), event(250, 'offline')]
  expect(stretches(events, 100, 200)).toEqual([{ fromMs: 100, toMs: 200, state: 'online' }])
})

it('the selected time is in the middle, unless the axis would reach into the future', () => {
  const hour = 3_600_000
  expect(windowOf(10 * hour, 'hour', 20 * hour)).toEqual({ fromMs: 9.5 * hour, toMs: 10.5 * hour })
  expect(windowOf(20 * hour, 'hour', 20 * hour)).toEqual({ fromMs: 19 * hour, toMs: 20 * hour })
})

it('a window in the past is requested with its end, one that ends now without', () => {
  expect(untilOf(0, 1e9)).toEqual({ until: at(NEAR_MS) })
  expect(untilOf(1e9, 1e9)).toEqual({})
})
