/** When a schedule is due, pure. Times are local to a zone, with summer time taken into account. */
import type { ScheduleKind } from './schedule.ts'

export type ScheduleRule = {
  kind: ScheduleKind
  /** YYYY-MM-DD, for `once`. */
  date: string | null
  /** HH:MM */
  time: string
  /** 1 Monday … 7 Sunday, for `weekly`. */
  weekdays: readonly number[]
  timeZone: string
}

const DAY_MS = 86_400_000
/** A weekly rule is due at least once in this many days. */
const SEARCH_DAYS = 8

const formats = new Map<string, Intl.DateTimeFormat>()
/** There are some 600 zone names, but in any letter case, and they come from devices: bounds the cache. */
const FORMATS_MAX = 1_000
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  if (formats.size >= FORMATS_MAX) formats.clear()
  formats.set(timeZone, made)
  return made
}

/** Whether the platform knows the IANA name. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** A place, not an offset: `+08:00` implies no summer time. */
export const isPlaceZone = (name: string): boolean => /^[A-Za-z]/.test(name) && isTimeZone(name)

/** The local time of the zone at an instant, as if it were UTC. */
function wall(timeZone: string, atMs: number): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/**
 * The instant of a local time. A time skipped by summer time is shifted forward by the same amount; of an hour that
 * occurs twice, the first counts.
 */
function instantOf(timeZone: string, wallMs: number): number {
  const before = wallMs - DAY_MS
  const after = wallMs + DAY_MS
  const early = wallMs - (wall(timeZone, before) - before)
  if (wall(timeZone, early) === wallMs) return early
  const late = wallMs - (wall(timeZone, after) - after)
  return wall(timeZone, late) === wallMs ? late : early
}

/** The coming times after `afterMs` (exclusive), ascending, at most `count`. In ms since 1970. */
export function nextRuns(rule: ScheduleRule, afterMs: number, count: number): number[] {
  const [hour = 0, minute = 0] = rule.time.split(':').map(Number)
  const clockMs = (hour * 60 + minute) * 60_000
  if (rule.kind === 'once') {
    const at = instantOf(rule.timeZone, Date.parse(`${rule.date}T00:00:00Z`) + clockMs)
    return at > afterMs ? [at] : []
  }
  const found: number[] = []
  const firstDay = Math.floor(wall(rule.timeZone, afterMs) / DAY_MS) * DAY_MS
  const days = rule.kind === 'weekly' ? count * SEARCH_DAYS : count + 1
  for (let i = 0; i <= days && found.length < count; i++) {
    const day = firstDay + i * DAY_MS
    const weekday = new Date(day).getUTCDay() || 7
    if (rule.kind === 'weekly' && !rule.weekdays.includes(weekday)) continue
    const at = instantOf(rule.timeZone, day + clockMs)
    if (at > afterMs) found.push(at)
  }
  return found
}
