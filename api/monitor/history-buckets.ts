/** Values of variables by minutes to days: from rollups where these are up to date, else from reports. */
import { sql } from 'drizzle-orm'
import { mergeRollups } from '#schema/monitor/merge-rollups'
import { HOUR_MS, QUARTER_MS, type Rollup, rollUpAll } from '#schema/monitor/rollup'
import type { Point } from '#schema/monitor/thin-samples'
import { type HistoryStep, stepS } from '#schema/monitor/variable-history'
import type { CallContext } from '../kit/handler.ts'
import { refuseUnknownZone } from '../report/known-zone.ts'
import { type Asked, type Range, readHourBefore, readRollups, readSamples, unsummed } from './history-sql.ts'

type Step = Exclude<HistoryStep, 'raw'>
const MINUTE_MS = 60_000

/**
 * The buckets that overlap the range. In zones with an offset of a half or quarter hour, hours begin at local full
 * hours.
 */
async function bucketsOf({ db }: CallContext, step: Step, { fromMs, toMs, zone }: Range) {
  const moment = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`
  const inZone = (ms: number) => sql`(${moment(ms)} at time zone ${zone}::text)`
  const midnight = sql`date_trunc('day', ${inZone(fromMs)})`
  const width = sql.raw(`interval '${stepS[step]} seconds'`)
  const starts =
    step === 'day'
      ? sql`select d at time zone ${zone}::text as starts, (d + interval '1 day') at time zone ${zone}::text as ends
          from generate_series(${midnight}, ${inZone(toMs - 1)}, interval '1 day') as d`
      : sql`select d as starts, d + ${width} as ends
          from generate_series(date_bin(${width}, ${moment(fromMs)}, ${midnight} at time zone ${zone}::text), ${moment(toMs - 1)}, ${width}) as d`
  const rows = await db
    .execute<{ startMs: number; endMs: number }>(sql`
      select extract(epoch from starts)::float8 * 1000 as "startMs", extract(epoch from ends)::float8 * 1000 as "endMs"
      from (${starts}) b order by 1`)
    .catch((error: unknown) => refuseUnknownZone(error, zone))
  const at = [...rows].map(({ startMs }) => Math.round(startMs))
  return { at, endMs: Math.round(rows.at(-1)?.endMs ?? fromMs) }
}

function summed(
  points: readonly Point[],
  one: Asked,
  span: { fromMs: number; toMs: number },
  widthMs: number,
) {
  const samples = points.map(({ atMs, value }) => [atMs, value] as const)
  return rollUpAll(samples, widthMs, { originMs: span.fromMs, endMs: span.toMs, ...one })
}

async function rollupsOf(
  ctx: CallContext,
  one: Asked,
  widthMs: number,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<Rollup[]> {
  // The value that is valid at the beginning was reported before it.
  const span = { fromMs: Math.floor((fromMs - one.holdMs) / HOUR_MS) * HOUR_MS, toMs }
  if (widthMs === MINUTE_MS) {
    if (!one.meter) span.fromMs = fromMs - Math.ceil(one.holdMs / MINUTE_MS) * MINUTE_MS
    return summed(await readSamples(ctx, one, [span]), one, span, MINUTE_MS)
  }
  const live = await unsummed(ctx, one, span)
  const [stored, points] = await Promise.all([
    readRollups(ctx, one, span, widthMs === HOUR_MS ? 'hour' : 'quarter', live),
    readSamples(ctx, one, live),
  ])
  return [...stored, ...summed(points, one, span, widthMs)].toSorted((a, b) => a.startMs - b.startMs)
}

/**
 * Where a meter stood when nothing had come for longer than a value is valid: without it, what it counted during an outage would belong to no
 * bucket if the range begins within the outage, and the sum of single days would be less than that of all of them.
 */
async function meterBefore(
  ctx: CallContext,
  one: Asked,
  rollups: readonly Rollup[],
  fromMs: number,
): Promise<Rollup[]> {
  const isKnown = rollups.some(({ startMs, last }) => startMs < fromMs && last !== null)
  if (!one.meter || isKnown || rollups.length === 0) return []
  const toMs = Math.floor((fromMs - one.holdMs) / HOUR_MS) * HOUR_MS
  const before = await readHourBefore(ctx, one, toMs)
  if (!before) return []
  // Later hours, or this one, may not be summed yet.
  const span = { fromMs: before.startMs, toMs }
  const live = await unsummed(ctx, one, span)
  const own = summed(await readSamples(ctx, one, live), one, span, HOUR_MS)
  return own[0]?.startMs === before.startMs ? own : [before, ...own]
}

export async function askBuckets(ctx: CallContext, asked: readonly Asked[], step: Step, range: Range) {
  const { at, endMs } = await bucketsOf(ctx, step, range)
  const toMs = Math.min(endMs, ctx.now().getTime())
  const whole = step !== 'quarter' && at.every((ms) => ms % HOUR_MS === 0)
  const widthMs = step === 'minute' ? MINUTE_MS : whole ? HOUR_MS : QUARTER_MS
  const series = await Promise.all(
    asked.map(async (one) => {
      const fromMs = at[0] ?? range.fromMs
      const rollups = await rollupsOf(ctx, one, widthMs, { fromMs, toMs })
      const before = await meterBefore(ctx, one, rollups, fromMs)
      return mergeRollups([...before, ...rollups], {
        starts: at,
        endMs: Math.max(toMs, at.at(-1) ?? 0),
        ...one,
      })
    }),
  )
  return { at, series }
}
