import { CHART_DAYS_MAX, type ChartRange } from '#schema/device/chart-range'
import { refuse } from '#schema/kit/refusal'
import { reportRefusals } from '#schema/report/report-refusals'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Times in ms since 1970. */
export type ChartBuckets = { from: number; to: number; widthMs: number; at: Date[] }

/** @throws Refusal for a range that is backwards or too long. */
export function chartBuckets(asked: ChartRange, now: Date): ChartBuckets {
  const to = Math.min(asked.to ? Date.parse(asked.to) : now.getTime(), now.getTime())
  // Years before the first have no timestamps in PostgreSQL's notation.
  const from = Math.max(0, asked.from ? Date.parse(asked.from) : to - asked.hours * HOUR_MS)
  if (from >= to) refuse(reportRefusals.rangeBackwards, {}, 'from')
  // A day may have 25 hours.
  if (to - from > CHART_DAYS_MAX * DAY_MS + HOUR_MS)
    refuse(reportRefusals.rangeTooLong, { days: CHART_DAYS_MAX }, 'from')
  const widthMs = (to - from) / asked.buckets
  const at = Array.from({ length: asked.buckets }, (_, i) => new Date(from + i * widthMs))
  return { from, to, widthMs, at }
}
