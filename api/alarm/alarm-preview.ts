/**
 * "Would have fired N times last week": evaluates the rule's condition on stored history, for a limited number of
 * devices.
 */

import type { Context } from '#infra/context'
import { type AlarmKind, factsOf } from '#schema/alarm/alarm-kind'

export type PreviewRule = {
  kind: AlarmKind
  threshold: number
  recoverAt: number
  forMinutes: number
}
type Fired = { deviceId: number; fired: number }

/** [decisions/031] History from before a change of owner is not shown to the current owner. */
const owned = (sql: Context['sql']) => sql`
  join (select id, coalesce(owned_since, '-infinity') as since from devices) owned on owned.id = device_id`

/** Number of devices whose history is read: samples come every 30 s, the others rarely. */
export const examinedMax = { presence: 2000, addresses: 2000, samples: 30, traffic: 2000, none: 0 } as const
const DAYS = 7
const MIB = 1024 ** 2

/**
 * Samples are marked as beyond or recovered; those in between continue the state. A sufficiently long span fires
 * once.
 */
function fromSamples(sql: Context['sql'], ids: number[], rule: PreviewRule, now: Date) {
  const { figure } = factsOf(rule.kind)
  if (!figure) throw new Error(`${rule.kind} counts samples of no figure`)
  const column = sql(figure.column)
  const sign = factsOf(rule.kind).direction === 'below' ? -1 : 1
  return sql<Fired[]>`
    with marked as (
      select device_id, at, case when ${column} * ${sign}::float8 >= ${rule.threshold * sign}::float8 then 1
        when ${column} * ${sign}::float8 < ${rule.recoverAt * sign}::float8 or ${rule.threshold === rule.recoverAt} then 0 end as beyond
      from status_history ${owned(sql)}
      where device_id = any(${ids}::int[]) and day >= date_trunc('day', ${now}::timestamptz - make_interval(days => ${DAYS}), 'UTC') and at > ${now}::timestamptz - make_interval(days => ${DAYS}) and ${column} is not null and at >= owned.since),
    carried as (select *, count(beyond) over w as part from marked window w as (partition by device_id order by at)),
    filled as (select device_id, at, coalesce(max(beyond) over (partition by device_id, part), 0) as beyond from carried),
    turns as (
      select *, case when beyond = coalesce(lag(beyond) over w, 0) then 0 else 1 end as turn,
        coalesce(lead(at) over w, at) as until
      from filled window w as (partition by device_id order by at)),
    islands as (select device_id, beyond, at, until, sum(turn) over (partition by device_id order by at) as island from turns),
    lasted as (
      select device_id, island from islands where beyond = 1 group by device_id, island
      having max(until) - min(at) >= make_interval(mins => ${rule.forMinutes}))
    select device_id as "deviceId", count(*)::int as fired from lasted group by device_id`
}

/** Absences caused by the platform's own outages are not counted, as in the engine. */
const fromAbsence = (sql: Context['sql'], ids: number[], rule: PreviewRule, now: Date) => sql<Fired[]>`
  with gaps as (
    select device_id, offline_at, reason,
      coalesce(lead(online_at) over (partition by device_id order by online_at), ${now}::timestamptz) as back_at
    from presence_records ${owned(sql)} where device_id = any(${ids}::int[]) and online_at >= owned.since)
  select device_id as "deviceId", count(*)::int as fired from gaps
  where offline_at > ${now}::timestamptz - make_interval(days => ${DAYS}) and reason not in ('brokerLost', 'brokerStopped')
    and back_at - offline_at >= make_interval(mins => ${rule.threshold}::int)
  group by device_id`

const fromAddresses = (sql: Context['sql'], ids: number[], now: Date) => sql<Fired[]>`
  with known as (select device_id, online_at, ip from presence_records ${owned(sql)} where device_id = any(${ids}::int[]) and online_at >= owned.since)
  select p.device_id as "deviceId", count(*)::int as fired from known p
  where p.online_at > ${now}::timestamptz - make_interval(days => ${DAYS})
    and exists (select 1 from known o where o.device_id = p.device_id and o.online_at < p.online_at)
    and not exists (select 1 from known o where o.device_id = p.device_id and o.online_at < p.online_at and o.ip = p.ip)
  group by p.device_id`

function fromTraffic(sql: Context['sql'], ids: number[], rule: PreviewRule, now: Date) {
  const monthly = rule.kind === 'trafficMonth'
  const limit = rule.threshold * MIB * (monthly ? 1024 : 1)
  return sql<Fired[]>`
    with days as (
      select device_id, day, rx_bytes + tx_bytes as bytes,
        sum(rx_bytes + tx_bytes) over (partition by device_id, date_trunc('month', day) order by day) as so_far
      from traffic_days ${owned(sql)} where device_id = any(${ids}::int[]) and day at time zone 'UTC' >= owned.since
        and day >= date_trunc('month', (${now}::timestamptz at time zone 'UTC')::date - ${DAYS}::int)::date)
    select device_id as "deviceId", count(*)::int as fired from days
    where day > (${now}::timestamptz at time zone 'UTC')::date - ${DAYS}::int
      and case when ${monthly} then so_far >= ${limit}::float8 and so_far - bytes < ${limit}::float8 else bytes >= ${limit}::float8 end
    group by device_id`
}

/** Devices that would have fired, and how often. `ids` at most `examinedMax` of the kind's history. */
export function firedLastWeek(
  { sql, now }: Pick<Context, 'sql' | 'now'>,
  rule: PreviewRule,
  ids: number[],
): Promise<Fired[]> {
  const at = now()
  switch (factsOf(rule.kind).history) {
    case 'presence':
      return fromAbsence(sql, ids, rule, at)
    case 'addresses':
      return fromAddresses(sql, ids, at)
    case 'samples':
      return fromSamples(sql, ids, rule, at)
    case 'traffic':
      return fromTraffic(sql, ids, rule, at)
    case 'none':
      return Promise.resolve([])
  }
}
