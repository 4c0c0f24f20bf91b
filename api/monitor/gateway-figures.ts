/** Figures by which gateways are listed and ranked, in a form that stays quick for 10,000 of them. */
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { devices } from '#schema/tables/device'
import { terminals } from '#schema/tables/terminal'
import { amongIds } from '../kit/among-ids.ts'
import type { CallContext } from '../kit/handler.ts'
import { isFed } from './source-state.ts'

/**
 * How long a device was online: a subquery of few rows with `known_s` and `online_s`, to be summed, of one device from the full hour `from` to
 * `now`. Whole days come from their running totals, so that 90 days cost as much as two. These begin when the device came to its owner, so `from`
 * is not before that.
 */
export function knownTime(deviceId: SQLWrapper, from: SQL, now: SQL): SQL {
  const midnight = (at: SQL) => sql`date_trunc('day', ${at}, 'UTC')`
  const date = (at: SQL) => sql`(${at} at time zone 'UTC')::date`
  const dayAfter = sql`${midnight(from)} + interval '24 hours'`
  const hours = (condition: SQL) =>
    sql`select h.known_s::bigint as known_s, h.online_s::bigint as online_s from device_hours h where h.device_id = ${deviceId} and ${condition}`
  return sql`(${hours(sql`h.hour >= ${from} and h.hour < ${dayAfter}`)}
    union all ${hours(sql`h.hour >= greatest(${dayAfter}, ${midnight(now)})`)}
    union all select upto.known_s - coalesce(first.known_s, 0), upto.online_s - coalesce(first.online_s, 0)
      from (select device_id, owned_since, known_s, online_s from device_days
        where device_id = ${deviceId} and day > ${date(from)} and day < ${date(now)} order by day desc limit 1) upto
      left join device_days first on first.device_id = upto.device_id and first.day = ${date(from)} and first.owned_since = upto.owned_since)`
}

/**
 * The number of each gateway, counted for all of them together when a list is sorted by it. `of` is to be left joined by its `deviceId`: the
 * planner leaves it out where the count is not needed. With `ids` only those of these gateways are counted.
 */
export function shownTerminals({ db }: Pick<CallContext, 'db'>, ids?: readonly number[]) {
  const of = db
    .select({
      deviceId: terminals.deviceId,
      shown: sql<number>`count(*) filter (where not ${terminals.hidden})`.as('shown'),
    })
    .from(terminals)
    .where(ids && amongIds(terminals.deviceId, ids))
    .groupBy(terminals.deviceId)
    .as('counted')
  return { of, count: sql<number>`coalesce(${of.shown}, 0)::int` }
}

/** Those that answer their gateway, which is online, and those whose values come from a source that is connected. */
export const answeringTerminals = (online: SQL) => sql<number>`(select count(*)::int from terminals t
  left join terminal_states s on s.terminal_id = t.id
  where t.device_id = ${devices.id} and not t.hidden and ((${online} and s.state = 'answering') or ${isFed}))`

/** @param states quoted, separated by commas */
export const terminalsInState = (states: SQL) => sql<number>`(select count(*)::int from terminal_states s
  join terminals t on t.id = s.terminal_id where t.device_id = ${devices.id} and not t.hidden and s.state in (${states}))`
