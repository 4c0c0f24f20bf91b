/** Time-of-day rules of alarms: quiet hours and maintenance windows in a named time zone. Pure. */
import { z } from 'zod'
import { because } from '../kit/fault.ts'
import { field } from '../kit/field.ts'
import { isTimeZone } from '../kit/rules.ts'
import { shaped } from '../kit/shape.ts'
import { offsetMs } from '../kit/zone-time.ts'

const DAY_MIN = 1440
const WEEK_MIN = 7 * DAY_MIN

export const timeZone = field(
  z
    .string()
    .max(64)
    .refine(isTimeZone, because({ reason: 'format', shape: 'timeZone' })),
  { rule: 'timeZone' },
).default('Asia/Shanghai')
/** `HH:MM`. */
export const clockTime = field(z.string().regex(shaped(/^([01]\d|2[0-3]):[0-5]\d$/, 'clockTime')), {
  input: 'time',
})

/** Minutes since Sunday 00:00 in that zone. */
function minuteOfWeek(at: Date, zone: string): number {
  const local = new Date(at.getTime() + offsetMs(zone, at.getTime()))
  return local.getUTCDay() * DAY_MIN + local.getUTCHours() * 60 + local.getUTCMinutes()
}

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

/** From `from` inclusive to `to` exclusive; `22:00`–`07:00` spans midnight; equal times mean never. */
export function isQuiet(
  at: Date,
  quiet: { quietFrom: string | null; quietTo: string | null; timeZone: string },
): boolean {
  if (!quiet.quietFrom || !quiet.quietTo) return false
  const now = minuteOfWeek(at, quiet.timeZone) % DAY_MIN
  const length = (minutesOf(quiet.quietTo) - minutesOf(quiet.quietFrom) + DAY_MIN) % DAY_MIN
  return (now - minutesOf(quiet.quietFrom) + DAY_MIN) % DAY_MIN < length
}

export const repetitions = ['once', 'daily', 'weekly'] as const
type Window = {
  startsAt: Date
  endsAt: Date
  repeats: (typeof repetitions)[number]
  timeZone: string
}

/** Repeats at the same local time in its zone, regardless of summer time. */
export function isInWindow(at: Date, window: Window): boolean {
  if (at < window.startsAt) return false
  if (window.repeats === 'once') return at < window.endsAt
  // By the clock: the clocks may be changed within the first window.
  const clockMs = (at: Date) => at.getTime() + offsetMs(window.timeZone, at.getTime())
  const lengthMin = (clockMs(window.endsAt) - clockMs(window.startsAt)) / 60_000
  const period = window.repeats === 'daily' ? DAY_MIN : WEEK_MIN
  const since = minuteOfWeek(at, window.timeZone) - minuteOfWeek(window.startsAt, window.timeZone)
  return ((since % period) + period) % period < lengthMin
}
