import { describe, expect, it } from 'vitest'
import { estimateLeft, type Pace, ratePerHour } from './task-pace.ts'

const MINUTE = 60_000
const going = { status: 'ongoing', started: true, paused: false } as const
const pace: Pace = {
  slowStart: false,
  maxInFlight: 500,
  total: 100,
  done: 40,
  ended: 40,
  meanMs: 5 * MINUTE,
  waitingOnline: 0,
  waitingOffline: 0,
  inFlight: 60,
  meanAgeMs: 2 * MINUTE,
  youngestAgeMs: MINUTE,
  endedLately: 30,
  sinceFirstMs: 60 * MINUTE,
  wavesLeft: 0,
  hours: false,
}
const minutes = (more: Partial<Pace>) => {
  const { leftMs } = estimateLeft(going, { ...pace, ...more })
  return leftMs === null ? null : leftMs / MINUTE
}
const why = (task: Partial<typeof going> | object, more: Partial<Pace> = {}) =>
  estimateLeft({ ...going, ...task }, { ...pace, ...more }).why

describe('the estimated end', () => {
  it('is that of the most recent device if none waits', () => {
    expect(minutes({})).toBe(4)
  })

  it('gives a device that takes longer than the others a tenth of their time', () => {
    expect(minutes({ meanAgeMs: 20 * MINUTE, youngestAgeMs: 20 * MINUTE })).toBe(0.5)
  })

  it('counts a round for each wave that has not begun', () => {
    expect(minutes({ wavesLeft: 2, waitingOnline: 40, inFlight: 20 })).toBe(3 + 2 * 5)
  })

  it('is unknown while devices wait for the hours of their day', () => {
    expect(why({}, { hours: true, waitingOnline: 1 })).toBe('hours')
    expect(why({}, { hours: true })).toBe(null)
  })

  it('counts a round for each limit-full of waiting devices, after those in flight', () => {
    // 5,000 devices, 500 at a time, 5 minutes each: 3 for the current round, nine more.
    expect(minutes({ total: 5000, inFlight: 500, waitingOnline: 4460 })).toBe(3 + 9 * 5)
    expect(minutes({ maxInFlight: 1, inFlight: 1, waitingOnline: 3, meanAgeMs: 0 })).toBe(5 + 15)
  })

  it('counts from now if none is in progress', () => {
    expect(minutes({ inFlight: 0, meanAgeMs: null, youngestAgeMs: null, waitingOnline: 10 })).toBe(5)
  })

  it('considers that a slow start takes more at a time as devices succeed', () => {
    // Rounds of 10 + 2·done: 16, 48, 144, 432, then 500 at a time: 4,360 of them in 9.
    const left = minutes({
      slowStart: true,
      total: 5003,
      done: 3,
      ended: 3,
      inFlight: 0,
      meanAgeMs: null,
      waitingOnline: 5000,
    })
    expect(left).toBe((4 + 9) * 5)
    expect(minutes({ slowStart: true, done: 245, inFlight: 500, total: 5000, waitingOnline: 500 })).toBe(
      3 + 5,
    )
  })

  it('leaves out offline devices', () => {
    expect(minutes({ waitingOffline: 1000 })).toBe(4)
  })
})

describe('there is no estimate', () => {
  it.each([
    ['when it is completed', { status: 'completed' }, {}, 'completed'],
    ['while it is paused', { paused: true }, {}, 'paused'],
    ['before it starts', { started: false }, {}, 'notStarted'],
    ['when nobody has ended', {}, { ended: 0, meanMs: null }, 'tooEarly'],
    ['after two of a hundred', {}, { ended: 2 }, 'tooEarly'],
    ['when only offline devices are left', {}, { inFlight: 0, waitingOffline: 7 }, 'offlineOnly'],
    ['when all have ended and nobody has said so yet', {}, { inFlight: 0 }, 'completed'],
  ])('%s', (_, task, more, reason) => {
    expect(why(task, more)).toBe(reason)
  })

  it('needs fewer results for few devices', () => {
    expect(why({}, { total: 3, ended: 2 })).toBeNull()
    expect(why({}, { total: 2, ended: 1 })).toBeNull()
    expect(why({}, { total: 10, ended: 3 })).toBeNull()
  })
})

describe('the rate', () => {
  it('is that of the last quarter of an hour, or of the time since the first', () => {
    expect(ratePerHour(pace)).toBe(120)
    expect(ratePerHour({ endedLately: 30, sinceFirstMs: 5 * MINUTE })).toBe(360)
    expect(ratePerHour({ endedLately: 1, sinceFirstMs: 1000 })).toBe(60)
  })

  it('is unknown while nothing ends', () => {
    expect(ratePerHour({ endedLately: 0, sinceFirstMs: 5 * MINUTE })).toBe(null)
    expect(ratePerHour({ endedLately: 0, sinceFirstMs: null })).toBe(null)
  })
})
