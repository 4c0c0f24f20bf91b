/** When an advertisement is shown: pure, the same on devices and platform. Local times of the device, no zone of its own. */

export type PortalSchedule = {
  /** YYYY-MM-DD, both inclusive; null: open. */
  readonly fromDate: string | null
  readonly toDate: string | null
  /** 1 Monday … 7 Sunday; empty: every day. */
  readonly weekdays: readonly number[]
  /** HH:MM; from inclusive, to exclusive. null: the whole day. `22:00`–`06:00` ends on the next morning. */
  readonly fromTime: string | null
  readonly toTime: string | null
}

export const advertisementStates = ['running', 'planned', 'ended', 'disabled'] as const
export type AdvertisementState = (typeof advertisementStates)[number]

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** The time zones in which a day begins first and last [UTC+14, UTC-12]. */
const EARLIEST_MS = 14 * HOUR_MS
const LATEST_MS = 12 * HOUR_MS

const dayText = (ms: number) => new Date(ms).toISOString().slice(0, 10)
/** Days that have begun in some time zone and are not over in all of them. */
export const lastDayBegun = (nowMs: number) => dayText(nowMs + EARLIEST_MS)
export const firstDayLeft = (nowMs: number) => dayText(nowMs - LATEST_MS)

type Wall = { readonly day: string; readonly clock: string }

/** Cached, because creating a format takes a hundred times as long as using it. */
const clocks = new Map<string, Intl.DateTimeFormat>()
/** Bounds the cache: more than there are zones, although each can be spelled in many ways. */
const CLOCKS_MAX = 1_000

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  if (clocks.size >= CLOCKS_MAX) clocks.clear()
  clocks.set(timeZone, made)
  return made
}

/** Date and time of day in a zone. @throws RangeError if the runtime does not know the zone */
export function wallOf(atMs: number, timeZone: string): Wall {
  const text = clockOf(timeZone).format(atMs)
  const [day = '', clock = ''] = text.split(' ')
  return { day, clock }
}

const dayAfter = (day: string, days: number) => dayText(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS)
const yesterday = (day: string) => dayAfter(day, -1)

/** Whether showing may begin on this day, whatever the hour. */
export function beginsOn({ fromDate, toDate, weekdays }: PortalSchedule, day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay() || 7
  return (
    (fromDate === null || fromDate <= day) &&
    (toDate === null || day <= toDate) &&
    (weekdays.length === 0 || weekdays.includes(weekday))
  )
}

const spansMidnight = ({ fromTime, toTime }: PortalSchedule) =>
  fromTime !== null && toTime !== null && toTime < fromTime

/** Whether it is shown at some hour of this day. */
export const isShownOn = (schedule: PortalSchedule, day: string): boolean =>
  beginsOn(schedule, day) || (spansMidnight(schedule) && beginsOn(schedule, yesterday(day)))

/** Whether it is shown at this local time. Hours that span midnight belong to the day on which they began. */
export function isShownAt(schedule: PortalSchedule, { day, clock }: Wall): boolean {
  const { fromTime, toTime } = schedule
  if (fromTime === null || toTime === null) return beginsOn(schedule, day)
  if (!spansMidnight(schedule)) return fromTime <= clock && clock < toTime && beginsOn(schedule, day)
  return clock >= fromTime ? beginsOn(schedule, day) : clock < toTime && beginsOn(schedule, yesterday(day))
}

/** The last day with hours: a night ends on the day after the last one. null: none. */
const lastDayOf = (schedule: PortalSchedule): string | null =>
  schedule.toDate !== null && spansMidnight(schedule) ? dayAfter(schedule.toDate, 1) : schedule.toDate

/** `running`: its period has begun and is not over in some time zone; each device uses its own date. */
export function stateOf(
  schedule: PortalSchedule & { readonly enabled: boolean },
  nowMs: number,
): AdvertisementState {
  if (!schedule.enabled) return 'disabled'
  const last = lastDayOf(schedule)
  if (last !== null && last < firstDayLeft(nowMs)) return 'ended'
  return schedule.fromDate !== null && schedule.fromDate > lastDayBegun(nowMs) ? 'planned' : 'running'
}
