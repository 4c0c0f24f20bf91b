/** Small pictures of the last day: hourly means of the variables of one page, read from the sums in one statement. */
import { type SQL, sql } from 'drizzle-orm'
import { TREND_HOURS } from '#schema/monitor/variable-values'
import { isPlatformType } from '#schema/people/session'
import { devices } from '#schema/tables/device'
import type { CallContext } from '../kit/handler.ts'

/** For an export of all variables nobody asked for pictures. */
const ROWS_MAX = 200
const HOUR_MS = 3_600_000
const HALF_HOUR_S = 1_800

type Place = { terminalId: number; slot: number }
export type Trends = (place: Place) => (number | null)[]

const none: Trends = () => []

/** Hours of another template, and what another owner of the device measured, are not shown. */
const since = (platform: boolean): SQL =>
  platform ? sql`t.template_since` : sql`greatest(t.template_since, ${devices.ownedSince})`

/** @param rows that the actor may see; more than 200 have no trends */
export async function readTrends({ db, actor, now }: CallContext, rows: readonly Place[]): Promise<Trends> {
  if (rows.length === 0 || rows.length > ROWS_MAX) return none
  const thisHour = Math.floor(now().getTime() / HOUR_MS) * HOUR_MS
  const from = thisHour - TREND_HOURS * HOUR_MS
  const found = await db.execute<Place & { hour: number; mean: number }>(sql`
    select h.terminal_id as "terminalId", h.slot, extract(epoch from h.at)::float8 * 1000 as hour,
      h.integral / h.known_s as mean
    from unnest(${sql.param(rows.map((row) => row.terminalId))}::int[], ${sql.param(rows.map((row) => row.slot))}::int[])
        as p(terminal_id, slot)
      join terminals t on t.id = p.terminal_id join ${devices} on ${devices.id} = t.device_id
      join variable_hours h on h.terminal_id = p.terminal_id and h.slot = p.slot
    where h.at >= ${new Date(from).toISOString()}::timestamptz and h.at >= ${since(isPlatformType(actor.type))}
      and h.known_s >= ${HALF_HOUR_S}`)
  const hours = new Map<string, (number | null)[]>()
  for (const { terminalId, slot, hour, mean } of found) {
    const key = `${terminalId} ${slot}`
    const trend = hours.get(key) ?? Array.from({ length: TREND_HOURS }, () => null)
    hours.set(key, trend)
    const at = Math.round((hour - from) / HOUR_MS)
    if (at < TREND_HOURS) trend[at] = mean
  }
  return ({ terminalId, slot }) => hours.get(`${terminalId} ${slot}`) ?? []
}
