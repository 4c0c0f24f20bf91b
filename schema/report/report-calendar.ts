/** The next run of a schedule: local time of day in a zone, with summer time and short months taken into account. */
import { momentOf, offsetMs } from '../kit/zone-time.ts'
import type { ScheduleEvery } from './report-schedule.ts'

export type Calendar = { every: ScheduleEvery; dayNumber: number; minute: number; zone: string }

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Two consecutive last days of a month are never further apart. */
const DAYS_AHEAD = 62

function fits(day: Date, { every, dayNumber }: Calendar): boolean {
  if (every === 'day') return true
  if (every === 'week') return (day.getUTCDay() || 7) === dayNumber
  const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate()
  return day.getUTCDate() === Math.min(dayNumber, last)
}

/** The first run after that time. */
export function nextRun(calendar: Calendar, after: Date): Date {
  const { zone, minute } = calendar
  const today = Math.floor((after.getTime() + offsetMs(zone, after.getTime())) / DAY_MS) * DAY_MS
  for (let i = 0; i <= DAYS_AHEAD; i++) {
    const day = new Date(today + i * DAY_MS)
    if (!fits(day, calendar)) continue
    const at = momentOf(day.getTime() + minute * MINUTE_MS, zone)
    if (at > after.getTime()) return new Date(at)
  }
  throw new Error('a schedule without a next run')
}

/** Minutes of the day as HH:MM, and back. */
export const timeText = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
export const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
