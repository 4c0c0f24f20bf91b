/** Converts a named range to its times, step and data source. */
import { EXACT_DEVICES_DAYS, HOURLY_DAYS_MAX } from './report.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export type Frame = {
  /** Milliseconds since 1970. */
  from: number
  to: number
  previousFrom: number
  previousTo: number
  step: 'tenMinutes' | 'hour' | 'day'
  /** The zone that defines days. */
  zone: string
  source: 'raw' | 'hours' | 'days'
  /** The range of lists of devices. */
  devicesFrom: number
  devicesTo: number
}

/** Length of a bucket; a day of 23 or 25 hours is taken for one of 24. */
export const stepSeconds: Readonly<Record<Frame['step'], number>> = {
  tenMinutes: 600,
  hour: 3600,
  day: 86_400,
}

/** Milliseconds since 1970. */
export type Ends = { from: number; to: number; previousFrom: number; hoursSince: number }

const floorDay = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS
const ceilDay = (ms: number) => Math.ceil(ms / DAY_MS) * DAY_MS
const ceilHour = (ms: number) => Math.ceil(ms / HOUR_MS) * HOUR_MS

/**
 * @param asked the range's ends, limited to the current day or hour; where the same length before begins; and where
 * the remaining hourly data begins @param of `wide`: devices of the whole platform, which no list sums by hours;
 * `single`: one device, shown from raw data
 */
export function frameOf(
  asked: Ends,
  zone: string,
  of: { wide: boolean; single: boolean },
  now: number,
): Frame {
  const days = (asked.to - asked.from) / DAY_MS
  const step = days <= HOURLY_DAYS_MAX ? 'hour' : 'day'
  const old = asked.from < asked.hoursSince
  const short = !old && days <= EXACT_DEVICES_DAYS
  const exact = short && !of.wide
  const raw = short && of.single
  // Data is summed by hours of UTC, and an hour belongs to the day in which it begins: where midnight is no full hour, the one
  // that contains it belongs to the day before.
  const from = old ? floorDay(asked.from) : raw ? asked.from : ceilHour(asked.from)
  const to = old ? ceilDay(asked.to) : asked.to
  const length = (old || raw ? to : ceilHour(to)) - from
  // The period before may lack hourly data; those hours are gaps.
  const previousFrom = old || step === 'hour' ? from - length : ceilHour(asked.previousFrom)
  return {
    from,
    to,
    previousFrom,
    previousTo: previousFrom + (to - from),
    step: old ? 'day' : raw ? 'tenMinutes' : step,
    zone: old ? 'UTC' : zone,
    source: old ? 'days' : raw ? 'raw' : 'hours',
    devicesFrom: exact ? from : floorDay(from),
    devicesTo: exact ? to : Math.min(ceilDay(to), ceilDay(now)),
  }
}
