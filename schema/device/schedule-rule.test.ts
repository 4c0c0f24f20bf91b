/** When a schedule is due: in local time of its zone, across both changes of summer time. */
import { describe, expect, it } from 'vitest'
import { isTimeZone, nextRuns, type ScheduleRule } from './schedule-rule.ts'

const rule = (over: Partial<ScheduleRule>): ScheduleRule => ({
  kind: 'daily',
  date: null,
  time: '03:00',
  weekdays: [],
  timeZone: 'Asia/Shanghai',
  ...over,
})
const runs = (given: Partial<ScheduleRule>, after: string, count = 3) =>
  nextRuns(rule(given), Date.parse(after), count).map((at) => new Date(at).toISOString().slice(0, 16))

describe('the coming times of a schedule', () => {
  it.each([
    [
      'daily, later today',
      {},
      '2026-11-21T10:00:00Z',
      ['2026-11-21T19:00', '2026-11-22T19:00', '2026-11-23T19:00'],
    ],
    [
      'the moment itself is not coming',
      {},
      '2026-11-21T19:00:00Z',
      ['2026-11-22T19:00', '2026-11-23T19:00', '2026-11-24T19:00'],
    ],
    ['once, yet to come', { kind: 'once', date: '2026-12-24' }, '2026-11-21T10:00:00Z', ['2026-12-23T19:00']],
    ['once, passed', { kind: 'once', date: '2026-11-01' }, '2026-11-21T10:00:00Z', []],
    [
      'weekly on Monday and Friday',
      { kind: 'weekly', weekdays: [1, 5], timeZone: 'UTC' },
      '2026-11-21T10:00:00Z',
      ['2026-11-23T03:00', '2026-11-27T03:00', '2026-11-30T03:00'],
    ],
    [
      'weekly on Sunday',
      { kind: 'weekly', weekdays: [7], timeZone: 'UTC' },
      '2026-11-21T10:00:00Z',
      ['2026-11-22T03:00', '2026-11-29T03:00', '2026-12-06T03:00'],
    ],
    [
      'the hour that summer time leaves out: as much later',
      { time: '02:30', timeZone: 'Europe/Berlin' },
      '2026-03-28T12:00:00Z',
      ['2026-03-29T01:30', '2026-03-30T00:30', '2026-03-31T00:30'],
    ],
    [
      'the hour that comes twice: the first',
      { time: '02:30', timeZone: 'Europe/Berlin' },
      '2026-10-24T12:00:00Z',
      ['2026-10-25T00:30', '2026-10-26T01:30', '2026-10-27T01:30'],
    ],
    [
      'west of Greenwich',
      { time: '23:30', timeZone: 'America/Chicago' },
      '2026-11-21T10:00:00Z',
      ['2026-11-22T05:30', '2026-11-23T05:30', '2026-11-24T05:30'],
    ],
  ] as [string, Partial<ScheduleRule>, string, string[]][])('%s', (_, given, after, expected) => {
    expect(runs(given, after)).toEqual(expected)
  })

  it('returns the requested number, ascending', () => {
    const at = nextRuns(rule({ kind: 'weekly', weekdays: [3] }), Date.UTC(2026, 10, 21), 32)
    expect(at).toHaveLength(32)
    expect(at).toEqual(at.toSorted((a, b) => a - b))
  })
})

it('distinguishes a time zone from other text', () => {
  expect(['Asia/Taipei', 'UTC', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([true, true, false, false])
})
