import { describe, expect, it } from 'vitest'
import { guardStopsAt, guardTrips, leastFailures, takesAtOnce } from './task-guard.ts'
import { addLevelUp } from './upgrade.ts'

const off = { maxFailures: null, maxFailurePercent: null }
const count = (maxFailures: number) => ({ ...off, maxFailures })
const percent = (maxFailurePercent: number) => ({ ...off, maxFailurePercent })

describe('a failure limit', () => {
  it.each([
    ['none: nothing stops it', off, 5000, 5000, false],
    ['by number, one before', count(5), 4, 4, false],
    ['by number, reached', count(5), 5, 5000, true],
    ['by number, exceeded by a batch of reports', count(5), 9, 5000, true],
    ['by number 1: the first failure', count(1), 1, 5000, true],
    ['by percent: the first failure of 5,000 does not stop it', percent(10), 1, 1, false],
    [
      'by percent: four failures are too few to judge, even if nothing else was tried',
      percent(10),
      4,
      4,
      false,
    ],
    ['by percent: five of ten', percent(10), 5, 10, true],
    ['by percent: five of fifty are ten percent', percent(10), 5, 50, true],
    ['by percent: five of fifty-one are less', percent(10), 5, 51, false],
    ['by percent: fast failures among 500 under way are no verdict', percent(10), 10, 500, false],
    ['by percent 100: all that were tried', percent(100), 6, 6, true],
    ['by percent 100: all but one', percent(100), 5, 6, false],
    ['both: the number comes first', { maxFailures: 2, maxFailurePercent: 50 }, 2, 100, true],
    ['both: the percentage comes first', { maxFailures: 100, maxFailurePercent: 50 }, 6, 12, true],
    ['both: neither', { maxFailures: 100, maxFailurePercent: 50 }, 6, 13, false],
  ])('%s', (_, guard, failed, tried, stops) => {
    expect(guardTrips(guard, { failed, lasting: failed, tried, total: 5000 })).toBe(stops)
  })

  it.each([
    [off, 100, null],
    [count(5), 100, 5],
    [count(5), 4, null],
    [percent(10), 100, 10],
    [percent(10), 5000, 500],
    [percent(10), 1, 1],
    [percent(10), 10, 1],
    [percent(10), 11, 2],
    [percent(10), 20, 2],
    [percent(10), 21, 3],
    [percent(5), 60, 3],
    // A higher share is obeyed, in small tasks too.
    [percent(50), 10, 5],
    [{ maxFailures: 5, maxFailurePercent: 10 }, 100, 5],
    [{ maxFailures: 50, maxFailurePercent: 10 }, 100, 10],
  ])('%j pauses a task of %i devices at the latest after %s failures', (guard, total, at) => {
    expect(guardStopsAt(guard, total)).toBe(at)
    if (at === null) return
    expect(guardTrips(guard, { failed: at, lasting: at, tried: total, total })).toBe(true)
    // At the latest: with all devices tried, one failure less does not pause it.
    expect(guardTrips(guard, { failed: at - 1, lasting: at - 1, tried: total, total })).toBe(false)
  })

  it('is literal: one failure of ten devices is ten percent, one of eleven is less', () => {
    const one = { failed: 1, lasting: 1, tried: 10 }
    expect(guardTrips(percent(10), { ...one, total: 10 })).toBe(true)
    expect(guardTrips(percent(10), { ...one, total: 11 })).toBe(false)
    expect(guardTrips(percent(11), { ...one, total: 10 })).toBe(false)
    expect(guardTrips(percent(10), { failed: 0, lasting: 0, tried: 0, total: 0 })).toBe(false)
  })

  it('of what was tried so far needs some failures: more in larger tasks', () => {
    expect([1, 10, 20, 21, 30, 40, 41, 5000].map(leastFailures)).toEqual([2, 2, 2, 3, 3, 4, 5, 5])
    expect(guardTrips(percent(10), { failed: 1, lasting: 1, tried: 1, total: 20 })).toBe(false)
    expect(guardTrips(percent(30), { failed: 2, lasting: 2, tried: 4, total: 20 })).toBe(true)
  })

  it('a failure that the platform retries is no share of all devices yet', () => {
    expect(guardTrips(percent(10), { failed: 1, lasting: 0, tried: 10, total: 10 })).toBe(false)
    expect(guardTrips(percent(10), { failed: 2, lasting: 0, tried: 10, total: 10 })).toBe(true)
  })

  it('begins with ten devices and adds two for each that came back', () => {
    expect([0, 1, 10, 245, 1000].map((done) => takesAtOnce(true, 500, done))).toEqual([10, 12, 30, 500, 500])
    expect(takesAtOnce(true, 4, 0)).toBe(4)
    expect(takesAtOnce(false, 500, 0)).toBe(500)
    expect(takesAtOnce(false, 50, 0)).toBe(50)
  })
})

describe('the body of addLevelUp', () => {
  const body = { name: 'Night', spId: 1, dids: [1] }
  const wrong = (more: object) =>
    addLevelUp.body.safeParse({ ...body, ...more }).error?.issues.map(({ path }) => path[0])

  it('has no limit without the new fields, as before', () => {
    const parsed = addLevelUp.body.parse(body)
    expect(parsed.maxInFlight).toBeUndefined()
    expect(parsed.maxFailures ?? null).toBeNull()
    expect(parsed.maxFailurePercent ?? null).toBeNull()
  })

  it('accepts limits as numbers or digits, and null for none', () => {
    expect(addLevelUp.body.parse({ ...body, maxFailures: '5', maxFailurePercent: null })).toMatchObject({
      maxFailures: 5,
      maxFailurePercent: null,
    })
  })

  it.each([
    ['maxFailures', [0, -1, 20_001, 1.5, '', 'many']],
    ['maxFailurePercent', [0, 101, 2.5, '', 'half']],
    ['maxInFlight', [0, 501, 0.5, '', 'all']],
  ])('refuses a %s out of bounds by its name', (field, values) => {
    for (const value of values) expect(wrong({ [field]: value })).toEqual([field])
  })
})
