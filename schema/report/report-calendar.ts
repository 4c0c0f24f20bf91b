/** The next run of a schedule: local time of day in a zone, with summer time and short months taken into account. */
import type { ScheduleEvery } from './report-schedule.ts'

export type Calendar = { every: ScheduleEvery; dayNumber: number; minute: number; zone: string }

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Two consecutive last days of a month are never further apart. */
const DAYS_AHEAD = 62

/** Offset of the zone from UTC at that time, in ms. */
function offsetMs(zone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at)
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return local - Math.floor(at / 1000) * 1000
}

/** The instant of the local time `local` (given as if it were UTC); in a skipped hour, an hour later. */
function momentOf(local: number, zone: string): number {
  const guess = local - offsetMs(zone, local)
  return local - offsetMs(zone, guess)
}

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
