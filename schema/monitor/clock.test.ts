import { describe, expect, it } from 'vitest'
import { clockOffset, reportTime } from './clock.ts'

const HOUR_MS = 3_600_000
const NOW = 1_795_226_400_000

describe('what is taken off a clock', () => {
  it.each([
    ['a right clock', 0, 300, 0],
    ['a wrong clock', 0, HOUR_MS, HOUR_MS],
    ['a wrong clock, measured again', HOUR_MS, HOUR_MS + 900, HOUR_MS],
    ['a clock that was set right', HOUR_MS, 200, 0],
    ['no clock', HOUR_MS, null, HOUR_MS],
  ])('%s: known %i, measured %j, then %i', (_name, known, skew, expected) => {
    expect(clockOffset(known, skew)).toBe(expected)
    // The worker and the broker may both apply the same measurement.
    expect(clockOffset(expected, skew)).toBe(expected)
  })
})

describe('the time of a report', () => {
  it('is its own without the offset', () => {
    expect(reportTime(NOW + HOUR_MS - 5, false, HOUR_MS, NOW)).toEqual({
      at: NOW - 5,
      offset: HOUR_MS,
      uncertain: false,
    })
  })

  it.each([
    ['without a clock', 0, false, 'no clock'],
    ['30 days old', NOW - 30 * 24 * HOUR_MS - 1, true, '30 days'],
    ['late and from the future', NOW + HOUR_MS, true, 'future'],
  ])('%s is a fault', (_name, at, late, fault) => {
    expect(reportTime(at, late, 0, NOW)).toMatchObject({ fault: expect.stringContaining(fault) })
  })

  it('from the future, live, measures the clock; the same report again gets the same time', () => {
    const first = reportTime(NOW + HOUR_MS, false, 0, NOW)
    expect(first).toEqual({ at: NOW, offset: HOUR_MS, uncertain: true })
    expect(reportTime(NOW + HOUR_MS, false, HOUR_MS, NOW + 700)).toMatchObject({ at: NOW, uncertain: false })
  })

  it('after a single one from the future, is its own again: the values that follow are not shifted', () => {
    const wrong = reportTime(NOW + 60_000, false, 0, NOW)
    expect(wrong).toEqual({ at: NOW, offset: 60_000, uncertain: true })
    const next = reportTime(NOW + 900, false, 60_000, NOW + 1_000)
    expect(next).toEqual({ at: NOW + 900, offset: 0, uncertain: true })
    expect(reportTime(NOW + 1_900, false, 0, NOW + 2_000)).toMatchObject({
      at: NOW + 1_900,
      uncertain: false,
    })
  })

  it('of a clock that was set right after its hello is its own', () => {
    expect(reportTime(NOW - 300, false, HOUR_MS, NOW)).toEqual({ at: NOW - 300, offset: 0, uncertain: true })
    // Ahead of us by less than is trusted: values of one gateway never come from the future.
    expect(reportTime(NOW + 3_000, false, HOUR_MS, NOW)).toMatchObject({ at: NOW, offset: 0 })
  })

  it('is corrected while it is late: a backlog was written by the clock that hello measured', () => {
    expect(reportTime(NOW, true, HOUR_MS, NOW)).toEqual({
      at: NOW - HOUR_MS,
      offset: HOUR_MS,
      uncertain: false,
    })
  })
})
