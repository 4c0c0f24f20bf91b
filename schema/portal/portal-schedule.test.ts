import { expect, it } from 'vitest'
import { isShownAt, isShownOn, type PortalSchedule, stateOf, wallOf } from './portal-schedule.ts'

const always: PortalSchedule = { fromDate: null, toDate: null, weekdays: [], fromTime: null, toTime: null }
const at = (schedule: Partial<PortalSchedule>, moment: string) => {
  const [day = '', clock = ''] = moment.split(' ')
  return isShownAt({ ...always, ...schedule }, { day, clock })
}

it('without a schedule it is always shown', () => {
  expect(at({}, '2026-11-22 00:00')).toBe(true)
})

it('first and last day are both included', () => {
  const dates = { fromDate: '2026-11-01', toDate: '2026-11-30' }
  expect(
    ['2026-10-31', '2026-11-01', '2026-11-30', '2026-12-01'].map((day) => at(dates, `${day} 12:00`)),
  ).toEqual([false, true, true, false])
})

it('hours include their beginning and not their end', () => {
  const hours = { fromTime: '07:00', toTime: '11:00' }
  expect(['06:59', '07:00', '10:59', '11:00'].map((clock) => at(hours, `2026-11-22 ${clock}`))).toEqual([
    false,
    true,
    true,
    false,
  ])
})

it('a night belongs to the day on which it began', () => {
  // 2026-11-20 is a Friday.
  const friday = { weekdays: [5], fromTime: '22:00', toTime: '06:00' }
  expect(at(friday, '2026-11-20 05:00')).toBe(false)
  expect(at(friday, '2026-11-20 22:00')).toBe(true)
  expect(at(friday, '2026-11-21 05:59')).toBe(true)
  expect(at(friday, '2026-11-21 06:00')).toBe(false)
  expect(at(friday, '2026-11-21 23:00')).toBe(false)
  const on = (day: string) => isShownOn({ ...always, ...friday }, day)
  expect(['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22'].map(on)).toEqual([false, true, true, false])
})

it('the night of the last day lasts until the next morning', () => {
  const last = { toDate: '2026-11-20', fromTime: '22:00', toTime: '06:00' }
  expect(at(last, '2026-11-21 05:00')).toBe(true)
  expect(at(last, '2026-11-21 23:00')).toBe(false)
})

it('local date and clock come from the zone', () => {
  const moment = Date.parse('2026-11-22T20:30:00Z')
  expect(wallOf(moment, 'Asia/Shanghai')).toEqual({ day: '2026-11-23', clock: '04:30' })
  expect(wallOf(moment, 'America/Chicago')).toEqual({ day: '2026-11-22', clock: '14:30' })
  // Summer time ends: the hour is there twice.
  expect(wallOf(Date.parse('2026-10-25T01:30:00Z'), 'Europe/Berlin')).toEqual({
    day: '2026-10-25',
    clock: '02:30',
  })
})

it('is planned until its first day has begun somewhere, and ended when its last one is over everywhere', () => {
  const now = (text: string, more: object = {}) =>
    stateOf(
      { ...always, enabled: true, fromDate: '2026-11-10', toDate: '2026-11-20', ...more },
      Date.parse(text),
    )
  expect(now('2026-11-09T09:59:00Z')).toBe('planned')
  expect(now('2026-11-09T10:00:00Z')).toBe('running')
  expect(now('2026-11-21T11:59:00Z')).toBe('running')
  expect(now('2026-11-21T12:00:00Z')).toBe('ended')
  const night = { fromTime: '22:00', toTime: '06:00' }
  expect(now('2026-11-21T12:00:00Z', night)).toBe('running')
  expect(now('2026-11-22T12:00:00Z', night)).toBe('ended')
  expect(now('2026-11-15T00:00:00Z', { enabled: false })).toBe('disabled')
  expect(now('2030-01-01T00:00:00Z', { fromDate: null, toDate: null })).toBe('running')
})
