import { describe, expect, it } from 'vitest'
import { minuteOf, nextRun, timeText } from './report-calendar.ts'

const eight = { minute: 480 }
describe('the next run of a scheduled report', () => {
  it.each([
    // [calendar, after, next]
    [
      { every: 'day', dayNumber: 1, zone: 'Asia/Shanghai', ...eight },
      '2026-11-20T23:59:00Z',
      '2026-11-21T00:00:00Z',
    ],
    [
      { every: 'day', dayNumber: 1, zone: 'Asia/Shanghai', ...eight },
      '2026-11-21T00:00:00Z',
      '2026-11-22T00:00:00Z',
    ],
    // 2026-11-21 is a Saturday.
    [{ every: 'week', dayNumber: 1, zone: 'UTC', ...eight }, '2026-11-21T12:00:00Z', '2026-11-23T08:00:00Z'],
    [{ every: 'week', dayNumber: 7, zone: 'UTC', ...eight }, '2026-11-22T08:00:00Z', '2026-11-29T08:00:00Z'],
    // A month without a 31st: its last day.
    [
      { every: 'month', dayNumber: 31, zone: 'UTC', ...eight },
      '2027-01-31T09:00:00Z',
      '2027-02-28T08:00:00Z',
    ],
    [
      { every: 'month', dayNumber: 31, zone: 'UTC', ...eight },
      '2027-02-28T08:00:00Z',
      '2027-03-31T08:00:00Z',
    ],
    // Berlin: the same local time before and after the change to summer time.
    [
      { every: 'day', dayNumber: 1, zone: 'Europe/Berlin', ...eight },
      '2026-10-24T12:00:00Z',
      '2026-10-25T07:00:00Z',
    ],
    [
      { every: 'day', dayNumber: 1, zone: 'Europe/Berlin', ...eight },
      '2026-03-28T12:00:00Z',
      '2026-03-29T06:00:00Z',
    ],
    // 02:30 does not exist on that day.
    [
      { every: 'day', dayNumber: 1, zone: 'Europe/Berlin', minute: 150 },
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:30:00Z',
    ],
  ] as const)('%j after %s is %s', (calendar, after, next) => {
    expect(nextRun(calendar, new Date(after))).toEqual(new Date(next))
  })

  it('reads and writes times of day', () => {
    expect([timeText(0), timeText(485), minuteOf('08:05'), minuteOf('23:59')]).toEqual([
      '00:00',
      '08:05',
      485,
      1439,
    ])
  })
})
