/** Hours in which devices may be sent something, in their own time zone; pure. */
import { z } from 'zod'
import { isPlaceZone } from '../device/schedule-rule.ts'
import { because } from '../kit/fault.ts'
import { offsetMs } from '../kit/zone-time.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

export const clockWindow = <C extends z.ZodType<string>>(clock: C) =>
  z.object({
    from: clock,
    to: clock.describe('earlier than `from`: on the next day; equal: the whole day'),
    weekdays: z
      .array(z.int().min(1).max(7))
      .max(7)
      .optional()
      .describe('days on which it opens, 1 Monday; absent: every day'),
    zone: z
      .string()
      .max(64)
      .refine(isPlaceZone, because({ reason: 'format', shape: 'timeZone' }))
      .optional()
      .describe('IANA name for devices that report none; default UTC'),
  })
export type ClockWindow = {
  from: string
  to: string
  weekdays?: number[] | undefined
  zone?: string | undefined
}

const minutesOf = (clock: string) => {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return hour * 60 + minute
}

/**
 * Whether the window is open at `atMs` in the zone. Times are local: an hour that summer time skips does not exist, one
 * that it repeats counts twice.
 */
export function isOpen({ from, to, weekdays }: ClockWindow, zone: string, atMs: number): boolean {
  const local = atMs + offsetMs(zone, atMs)
  const minute = Math.floor((((local % DAY_MS) + DAY_MS) % DAY_MS) / MINUTE_MS)
  const [begins, ends] = [minutesOf(from), minutesOf(to)]
  const opensOn = (ms: number) =>
    weekdays === undefined || weekdays.length === 0 || weekdays.includes(new Date(ms).getUTCDay() || 7)
  if (begins < ends) return minute >= begins && minute < ends && opensOn(local)
  // Across midnight: after it, the day on which it opened counts.
  if (minute >= begins) return opensOn(local)
  return minute < ends && opensOn(local - DAY_MS)
}
