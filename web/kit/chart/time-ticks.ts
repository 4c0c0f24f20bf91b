/** Where a time axis is divided: at whole hours and days of a zone, also where its clocks change. */
import { momentOf, offsetMs } from '#schema/kit/zone-time'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** 1970-01-05, so that weeks begin on Mondays. */
const MONDAY_MS = 4 * DAY_MS

const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 3, 4, 7, 14, 28, 56, 112].map((days) => days * DAY_MS),
]

export type Tick = { at: number; text: string }

const two = (n: number) => String(n).padStart(2, '0')

/** Midnight shows its date, so that 06:00 in a range of several days is the one after it. */
function textOf(local: number): string {
  const d = new Date(local)
  return local % DAY_MS === 0
    ? `${two(d.getUTCMonth() + 1)}-${two(d.getUTCDate())}`
    : `${two(d.getUTCHours())}:${two(d.getUTCMinutes())}`
}

/**
 * At most `most` ticks between two instants (ms), both included. An hour that the zone skips has no tick, a repeated
 * one has one: no text appears twice on one day.
 */
export function timeTicks(from: number, to: number, most: number, zone: string): Tick[] {
  if (!(to > from)) return []
  const step = STEPS_MS.find((size) => (to - from) / size <= most - 1) ?? STEPS_MS.at(-1) ?? DAY_MS
  const origin = step >= 7 * DAY_MS ? MONDAY_MS : 0
  const [first, last] = [from + offsetMs(zone, from), to + offsetMs(zone, to)]
  const ticks: Tick[] = []
  for (let local = Math.floor((first - origin) / step) * step + origin; local <= last; local += step) {
    const at = momentOf(local, zone)
    const skipped = at + offsetMs(zone, at) !== local
    // A day begins later where its midnight is skipped.
    if (at < from || at > to || (skipped && local % DAY_MS !== 0)) continue
    ticks.push({ at, text: textOf(local) })
  }
  return ticks
}
