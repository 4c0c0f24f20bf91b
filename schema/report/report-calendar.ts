/** When a schedule runs next: local time of day in a zone, summer time and short months allowed for. */
import type { ScheduleEvery } from './report-schedule.ts'

export type Calendar = { every: ScheduleEvery; dayNumber: number; minute: number; zone: string }

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** A month's last day and the 31st of the next are never further apart. */
const DAYS_AHEAD = 62

/** How much the zone's clocks are ahead of UTC at that moment, in ms. */
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

/** The moment at which the zone's clocks show `local` (as if it were UTC); in the hour that is skipped, an hour later. */
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

/** The first run after that moment. */
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
