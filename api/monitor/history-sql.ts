/** Reads stored variables: samples from their reports, and the rollups of hours that are up to date. */
import { hasValue, qualities } from '#schema/monitor/fields'
import { HOUR_MS, type Of, QUARTER_MS, ROLLUP_GRACE_MS, type Rollup } from '#schema/monitor/rollup'
import type { Point } from '#schema/monitor/thin-samples'
import type { CallContext } from '../kit/handler.ts'

const withValue = qualities.map(hasValue)

/** One variable of one terminal; `sinceMs`: when its history begins for the reader. */
export type Asked = Of & { terminalId: number; slot: number; sinceMs: number }
export type Range = { fromMs: number; toMs: number; zone: string }
type Span = { fromMs: number; toMs: number }
type Sql = Pick<CallContext, 'sql'>

/** Reading speed as measured by the benchmark, until this process has measured its own. */
let pace = 400_000
/** Reads with fewer samples than this are too short to measure. */
const TOLD_FROM = 5_000
export const samplesPerSecond = () => pace
/** Weight of each read in the moving average: the load of the machine varies. */
function tell(samples: number, ms: number) {
  if (samples >= TOLD_FROM && ms > 0) pace = Math.round(0.8 * pace + (0.2 * samples * 1_000) / ms)
}

/** Samples of one variable, ascending. One JSON value costs far less than a row per sample. */
export async function readSamples({ sql }: Sql, one: Asked, spans: readonly Span[]): Promise<Point[]> {
  const within = spans
    .map(({ fromMs, toMs }) => ({ fromMs: Math.max(fromMs, one.sinceMs), toMs }))
    .filter(({ fromMs, toMs }) => fromMs < toMs)
  if (within.length === 0) return []
  const begun = performance.now()
  const rows = await sql<{ at: number[] | null; vals: (number | null)[]; codes: number[] | null }[]>`
    select x.at, x.vals, x.codes
    from unnest(${within.map(({ fromMs }) => fromMs)}::float8[], ${within.map(({ toMs }) => toMs)}::float8[]) with ordinality as s(from_ms, to_ms, n)
      cross join lateral (
        select json_agg((date_part('epoch', r.at) * 1000)::bigint order by r.at) as at, json_agg(r.vals[p.place] order by r.at) as vals,
          case when bool_or(r.quality is not null) then json_agg(coalesce(r.quality[p.place], 0) order by r.at) end as codes
        from variable_reports r cross join lateral (select array_position(r.slots, ${one.slot}::smallint) as place) p
        where r.terminal_id = ${one.terminalId} and r.at >= to_timestamp(s.from_ms / 1000) and r.at < to_timestamp(s.to_ms / 1000)
          and p.place is not null) x
    order by s.n`
  const points: Point[] = []
  for (const { at, vals, codes } of rows)
    for (let i = 0; at && i < at.length; i++) {
      const quality = codes?.[i] ?? 0
      points.push({ atMs: at[i] as number, value: withValue[quality] ? (vals[i] ?? null) : null, quality })
    }
  tell(points.length, performance.now() - begun)
  return points
}

const LOST_MAX = 100
/** Gaps: samples that gateways could not buffer while they were offline. */
export const readLost = ({ sql }: Sql, asked: readonly Asked[], { fromMs, toMs }: Span) => sql<
  { terminalId: number; from: Date; to: Date; reports: number }[]
>`
  select g.terminal_id as "terminalId", g.from_at as "from", g.to_at as "to", g.reports
  from variable_gaps g join unnest(${asked.map(({ terminalId }) => terminalId)}::int[], ${asked.map(({ sinceMs }) => sinceMs)}::float8[])
    as a(terminal_id, since_ms) on a.terminal_id = g.terminal_id
  where g.from_at < ${new Date(toMs)} and g.to_at >= to_timestamp(greatest(a.since_ms, ${fromMs}::float8) / 1000)
  group by g.terminal_id, g.from_at, g.to_at, g.reports order by g.from_at limit ${LOST_MAX}`

const hourOf = (ms: number) => Math.floor(ms / HOUR_MS) * HOUR_MS

/** Sorted hours, with adjacent ones merged into ranges. */
function spansOf(hours: Iterable<number>): Span[] {
  const spans: Span[] = []
  for (const fromMs of [...new Set(hours)].toSorted((a, b) => a - b)) {
    const last = spans.at(-1)
    if (last?.toMs === fromMs) last.toMs += HOUR_MS
    else spans.push({ fromMs, toMs: fromMs + HOUR_MS })
  }
  return spans
}

/**
 * The time ranges, in hours, for which the reader must aggregate reports itself: hours that are marked, hours whose
 * reports may not be marked yet, and the hour in which the history begins.
 */
export async function unsummed({ sql }: Sql, one: Asked, { fromMs, toMs }: Span): Promise<Span[]> {
  const [marked, [position]] = await Promise.all([
    sql<{ ms: number }[]>`
      select (extract(epoch from hour) * 1000)::float8 as ms from variable_dirty
      where terminal_id = ${one.terminalId} and hour >= ${new Date(hourOf(fromMs))} and hour < ${new Date(toMs)}`,
    sql<{ at: Date }[]>`select at from rollup_positions where name = 'variables'`,
  ])
  const markedTo = hourOf((position?.at.getTime() ?? 0) - ROLLUP_GRACE_MS)
  const hours = marked.map(({ ms }) => ms)
  if (one.sinceMs > fromMs) hours.push(hourOf(one.sinceMs))
  const spans = spansOf(hours.filter((ms) => ms < markedTo && ms + HOUR_MS > fromMs && ms < toMs))
  const recent = { fromMs: Math.max(markedTo, hourOf(fromMs)), toMs }
  return recent.fromMs < toMs ? [...spans, recent] : spans
}

type Row = Omit<Rollup, 'steps' | 'endMs'> & { steps: (number | null)[] | null }

const columnsOf = ({
  sql,
}: Sql) => sql`x.ms as "startMs", integral, known_s as "knownS", min, max, first, last, good, bad,
  x.ms + first_ms as "firstMs", x.ms + last_ms as "lastMs", stands, to_json(steps) as steps`

function rollupOf({ steps, ...row }: Row, widthMs: number): Rollup {
  const [second, beforeLast, first, last, grown] = steps ?? []
  const known = second != null && beforeLast != null
  return {
    ...row,
    endMs: row.startMs + widthMs,
    steps: known ? { second, beforeLast, from: first ?? null, to: last ?? null, grown: grown ?? 0 } : null,
  }
}

/** The newest stored hour with a value that ends at or before the time; null: there is none. */
export async function readHourBefore({ sql }: Sql, one: Asked, ms: number): Promise<Rollup | null> {
  const [row] = await sql<Row[]>`
    select ${columnsOf({ sql })} from variable_hours, lateral (select date_part('epoch', at) * 1000 as ms) x
    where terminal_id = ${one.terminalId} and slot = ${one.slot} and last is not null
      and at >= ${new Date(one.sinceMs)} and at <= ${new Date(ms - HOUR_MS)}
    order by at desc limit 1`
  return row ? rollupOf(row, HOUR_MS) : null
}

/** Stored rollups outside `without`, ascending. */
export async function readRollups(
  { sql }: Sql,
  one: Asked,
  { fromMs, toMs }: Span,
  width: 'hour' | 'quarter',
  without: readonly Span[],
): Promise<Rollup[]> {
  const from = new Date(Math.max(hourOf(fromMs), one.sinceMs))
  const widthMs = width === 'hour' ? HOUR_MS : QUARTER_MS
  const rows = await sql<Row[]>`
    select ${columnsOf({ sql })}
    from ${sql(width === 'hour' ? 'variable_hours' : 'variable_quarters')}, lateral (select date_part('epoch', at) * 1000 as ms) x
    where terminal_id = ${one.terminalId} and slot = ${one.slot} and at >= ${from} and at < ${new Date(toMs)} order by at`
  return rows
    .filter(({ startMs }) => !without.some((span) => startMs >= span.fromMs && startMs < span.toMs))
    .map((row) => rollupOf(row, widthMs))
}
