/**
 * Sparklines of the last day: hourly means of the variables of one page, read from the rollups in one statement. In its
 * first hours a terminal has no rollups: then samples of the last two hours are used. Values of a former template are not shown.
 */
import { sql } from 'drizzle-orm'
import { TREND_HOURS } from '#schema/monitor/variable-values'
import type { CallContext } from '../kit/handler.ts'

/** An export of all variables needs no sparklines. */
const ROWS_MAX = 200
const HOUR_MS = 3_600_000
const HALF_HOUR_S = 1_800

type Place = { terminalId: number; slot: number }
export type Trend = { minutes: number; values: (number | null)[] }
export type Trends = (place: Place) => Trend

const HOUR_MINUTES = 60
const empty: Trend = { minutes: HOUR_MINUTES, values: [] }
const none: Trends = () => empty
/** As many points as a day has hours. */
const FIRST_MINUTES = 5
/** After this time a terminal has rollups of two hours. */
const FIRST_HOURS = 4

/** @param rows visible to the actor; above 200 there are no sparklines */
export async function readTrends({ db, now }: CallContext, rows: readonly Place[]): Promise<Trends> {
  if (rows.length === 0 || rows.length > ROWS_MAX) return none
  const thisHour = Math.floor(now().getTime() / HOUR_MS) * HOUR_MS
  const from = thisHour - TREND_HOURS * HOUR_MS
  const found = await db.execute<Place & { hour: number; mean: number }>(sql`
    select h.terminal_id as "terminalId", h.slot, extract(epoch from h.at)::float8 * 1000 as hour,
      h.integral / h.known_s as mean
    from unnest(${sql.param(rows.map((row) => row.terminalId))}::int[], ${sql.param(rows.map((row) => row.slot))}::int[])
        as p(terminal_id, slot)
      join terminals t on t.id = p.terminal_id
      join variable_hours h on h.terminal_id = p.terminal_id and h.slot = p.slot
    where h.at >= ${new Date(from).toISOString()}::timestamptz and h.at >= t.template_since
      and h.known_s >= ${HALF_HOUR_S}`)
  const hours = new Map<string, (number | null)[]>()
  for (const { terminalId, slot, hour, mean } of found) {
    const key = `${terminalId} ${slot}`
    const trend = hours.get(key) ?? Array.from({ length: TREND_HOURS }, () => null)
    hours.set(key, trend)
    const at = Math.round((hour - from) / HOUR_MS)
    if (at < TREND_HOURS) trend[at] = mean
  }
  const known = (trend: (number | null)[] | undefined) => (trend ?? []).filter((mean) => mean !== null).length
  const fresh = rows.filter(({ terminalId, slot }) => known(hours.get(`${terminalId} ${slot}`)) < 2)
  const first = await readFirst({ db, now }, fresh)
  return ({ terminalId, slot }) => {
    const key = `${terminalId} ${slot}`
    return first.get(key) ?? { minutes: HOUR_MINUTES, values: hours.get(key) ?? [] }
  }
}

/** The first sample of each five minutes, by the key of the reports; only of terminals that have just begun. */
async function readFirst(
  { db, now }: Pick<CallContext, 'db' | 'now'>,
  rows: readonly Place[],
): Promise<Map<string, Trend>> {
  const found = new Map<string, Trend>()
  if (rows.length === 0) return found
  const stepMs = FIRST_MINUTES * 60_000
  const toMs = Math.floor(now().getTime() / stepMs) * stepMs
  const fromMs = toMs - TREND_HOURS * stepMs
  const samples = await db.execute<Place & { n: number; value: number }>(sql`
    select p.terminal_id as "terminalId", p.slot, s.n, x.value
    from unnest(${sql.param(rows.map((row) => row.terminalId))}::int[], ${sql.param(rows.map((row) => row.slot))}::int[])
        as p(terminal_id, slot)
      join terminals t on t.id = p.terminal_id
      cross join generate_series(0, ${TREND_HOURS - 1}::int) as s(n)
      cross join lateral (
        select r.vals[array_position(r.slots, p.slot::smallint)] as value from variable_reports r
        where r.terminal_id = p.terminal_id and p.slot::smallint = any(r.slots)
          and r.at >= to_timestamp((${fromMs}::float8 + s.n * ${stepMs}::float8) / 1000)
          and r.at < to_timestamp((${fromMs}::float8 + (s.n + 1) * ${stepMs}::float8) / 1000)
        order by r.at limit 1) x
    where t.template_since > ${new Date(now().getTime() - FIRST_HOURS * HOUR_MS).toISOString()}::timestamptz
      and to_timestamp((${fromMs}::float8 + s.n * ${stepMs}::float8) / 1000) >= t.template_since and x.value is not null`)
  for (const { terminalId, slot, n, value } of samples) {
    const key = `${terminalId} ${slot}`
    const trend = found.get(key) ?? {
      minutes: FIRST_MINUTES,
      values: Array.from({ length: TREND_HOURS }, () => null),
    }
    found.set(key, trend)
    trend.values[n] = value
  }
  return found
}
