import { describe, expect, it } from 'vitest'
import { qualityCode } from '../fields.ts'
import { isSilent, type JudgedRule, judged, mayJudge, type Truth, unjudged } from './judge.ts'

const rule = (operator: JudgedRule['operator'], numbers: Partial<JudgedRule> = {}): JudgedRule => ({
  operator,
  low: null,
  high: null,
  recoverAt: null,
  hysteresis: null,
  bit: null,
  withinS: null,
  ...numbers,
})
const [timeout, outOfRange] = [qualityCode('timeout'), qualityCode('outOfRange')]

/** Samples 10 s apart; null: a timeout. "-" holds not, "+" holds. */
function truths(of: JudgedRule, values: readonly (number | null)[]): string {
  let truth: Truth = unjudged
  return values
    .map((value, i) => {
      truth = judged(of, truth, { at: 10_000 * i, value, quality: value === null ? timeout : 0 })
      return truth.holds ? '+' : '-'
    })
    .join('')
}

describe('a condition on a variable', () => {
  it.each<[string, JudgedRule, (number | null)[], string]>([
    ['above: the limit itself is not', rule('gt', { low: 60 }), [60, 61, 60, 59], '-+--'],
    ['at or above', rule('ge', { low: 60 }), [59, 60, 59], '-+-'],
    ['below', rule('lt', { low: -5 }), [-5, -6, -5], '-+-'],
    ['at or below', rule('le', { low: -5 }), [-4, -5, -4], '-+-'],
    ['until it has recovered', rule('gt', { low: 60, recoverAt: 55 }), [61, 58, 55.5, 55, 58], '+++--'],
    ['recovers only where it is not beyond', rule('ge', { low: 60, recoverAt: 60 }), [60, 60, 59], '++-'],
    ['equal, and unequal', rule('eq', { low: 3 }), [3, 4, 3], '+-+'],
    ['unequal', rule('ne', { low: 3 }), [3, 4, 3], '-+-'],
    ['between', rule('between', { low: 10, high: 20 }), [9, 10, 20, 21], '-++-'],
    [
      'outside with a hysteresis',
      rule('outside', { low: 10, high: 20, hysteresis: 2 }),
      [15, 21, 19, 18, 9],
      '-++-+',
    ],
    ['a bit', rule('bitOn', { bit: 2 }), [3, 4, 12, 8], '-++-'],
    ['a missing bit', rule('bitOff', { bit: 0 }), [1, 2], '-+'],
    ['a missing value changes nothing', rule('gt', { low: 60 }), [61, null, null, 59, null], '+++--'],
    ['bad quality', rule('bad'), [1, null, null, 2], '-++-'],
  ])('%s', (_, of, values, expected) => {
    expect(truths(of, values)).toBe(expected)
  })

  it('counts a value out of range as a value', () => {
    const truth = judged(rule('gt', { low: 60 }), unjudged, { at: 5, value: 999, quality: outOfRange })
    expect(truth).toMatchObject({ holds: true, since: 5 })
    expect(judged(rule('bad'), unjudged, { at: 5, value: 999, quality: outOfRange }).holds).toBe(false)
  })

  it('keeps the time of the sample with which it began', () => {
    const above = rule('gt', { low: 60 })
    const began = judged(above, unjudged, { at: 1_000, value: 70, quality: 0 })
    expect(judged(above, began, { at: 2_000, value: 75, quality: 0 })).toBe(began)
  })
})

describe('a change', () => {
  it.each<[string, JudgedRule, number[], string]>([
    ['by so much from one sample to the next', rule('change', { low: 5 }), [20, 24, 29, 28, 20], '--+-+'],
    [
      'within a time, in small steps',
      rule('change', { low: 5, withinS: 30 }),
      [20, 22, 24, 26, 26, 26, 26],
      '---+++-',
    ],
    ['slowly is none', rule('change', { low: 5, withinS: 20 }), [20, 22, 24, 26, 28, 30], '------'],
    ['down as well as up', rule('change', { low: 5, withinS: 30 }), [20, 15, 15, 15, 15], '-+++-'],
  ])('%s', (_, of, values, expected) => {
    expect(truths(of, values)).toBe(expected)
  })

  it('keeps few points of a fast variable, and the extremes among them', () => {
    const of = rule('change', { low: 1_000, withinS: 3_600 })
    let truth = unjudged
    for (let i = 0; i < 3_000; i++) {
      truth = judged(of, truth, { at: 1_000 * i, value: i === 1_500 ? 500 : i % 7, quality: 0 })
    }
    expect(truth.window?.points.length).toBeLessThan(20)
    expect(truth.window?.points.some(([, value]) => value === 500)).toBe(true)
    // 1,500 s after the peak it still makes the difference.
    expect(judged({ ...of, low: 499 }, truth, { at: 3_000_000, value: 0, quality: 0 }).holds).toBe(true)
    expect(judged({ ...of, low: 499 }, truth, { at: 5_200_000, value: 0, quality: 0 }).holds).toBe(false)
  })
})

describe('a sample', () => {
  it('is judged only as the newest, and only while it is fresh', () => {
    const now = 1_000_000
    expect(mayJudge({ at: now - 1_000 }, null, 5_000, now)).toBe(true)
    expect(mayJudge({ at: now - 1_000 }, now - 1_000, 5_000, now)).toBe(true)
    expect(mayJudge({ at: now - 1_000 }, now, 5_000, now)).toBe(false)
    expect(mayJudge({ at: now - 1_000, late: true }, null, 5_000, now)).toBe(false)
    expect(mayJudge({ at: now - 120_001 }, null, 5_000, now)).toBe(false)
    expect(mayJudge({ at: now - 590_000 }, null, 300_000, now)).toBe(true)
  })
  it('that does not come is missed after the minutes of the rule', () => {
    expect(isSilent(0, 5, 299_999)).toBe(false)
    expect(isSilent(0, 5, 300_000)).toBe(true)
    expect(isSilent(null, 5, 300_000)).toBe(false)
  })
})
