/** The online share of the last 24 hours, as the home page draws it. */
import { sql } from 'drizzle-orm'
import { bucketPercent } from '#schema/report/report-figures'
import { OUTAGE_DAYS_MAX, RETURN_GRACE_S } from '#schema/report/rollup'
import { deviceStates, devices } from '#schema/tables/device'
import { presenceRecords } from '#schema/tables/presence'
import { fleetHours } from '#schema/tables/report'
import type { CallContext } from '../kit/handler.ts'
import { ownMoment } from '../kit/history.ts'
import { visible } from '../kit/scope.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const BUCKET_MS = 600_000
const BUCKETS = DAY_MS / BUCKET_MS
/** Above this number of devices seen, the hours that the reports have summed are read instead of each connection. */
const RECORDS_MAX = 5_000

type Changes = { devices: number; away: number; online: number }

/**
 * Share of devices that were online at the end of each 10 minutes, of those whose state was known then [decisions/043]: they had been seen, and
 * the platform was not down. Null while most are unknown: the few that were offline before it went down stand for nobody. Connects and
 * disconnects are counted per bucket and summed, so each record is read once; for the first connection only that of a device whose last one is
 * in this day is looked up.
 */
async function readRecordedShare({ db, actor, now }: CallContext) {
  const mine = visible(actor).devices
  const end = Math.ceil(now().getTime() / BUCKET_MS) * BUCKET_MS
  const start = end - DAY_MS
  const slot = (column: unknown) =>
    sql`greatest(0, least(${BUCKETS}, ceil((extract(epoch from ${column}) * 1000 - ${start}) / ${BUCKET_MS}))::int)`
  const connections = sql`from ${presenceRecords} join ${devices} on ${devices.id} = ${presenceRecords.deviceId}
    where ${mine} and ${ownMoment(presenceRecords.onlineAt)}`
  const from = sql`to_timestamp(${start / 1000}::float8)`
  const firstSeen = sql`greatest(${devices.ownedSince}, case when ${deviceStates.lastLoginAt} > ${from}
    then (select min(first.online_at) from ${presenceRecords} first where first.device_id = ${devices.id})
    else coalesce(${deviceStates.lastLoginAt}, ${deviceStates.onlineChangedAt}) end)`
  const rows = await db.execute<Changes & { slot: number }>(sql`
    with ended as (
      select ${presenceRecords.deviceId} as device_id, ${presenceRecords.offlineAt} as at, date_trunc('second', ${presenceRecords.offlineAt}) as moment ${connections}
        and ${presenceRecords.reason} in ('brokerLost', 'brokerStopped') and ${presenceRecords.offlineAt} > ${from} - make_interval(days => ${OUTAGE_DAYS_MAX})),
    outages as (
      select moment, (select min(online_at) + make_interval(secs => ${RETURN_GRACE_S}) from presence_records where online_at > moment + interval '1 second') as until
      from (select distinct moment from ended) moments),
    away as (
      select e.at, least(o.until, (select min(online_at) from presence_records where device_id = e.device_id and online_at > e.at)) as until
      from ended e join outages o using (moment)
      where not exists (select 1 from presence_records other where other.device_id = e.device_id
        and other.online_at <= e.at and (other.offline_at is null or other.offline_at > e.at)))
    select slot, sum(devices)::int as devices, sum(away)::int as away, sum(online)::int as online from (
      select ${slot(firstSeen)} as slot, 1 as devices, 0 as away, 0 as online from ${devices}
        join ${deviceStates} on ${deviceStates.deviceId} = ${devices.id}
        where ${mine} and ${deviceStates.onlineChangedAt} is not null
      union all
      select ${slot(sql`at`)}, 0, 1, 0 from away
      union all
      select ${slot(sql`until`)}, 0, -1, 0 from away where until <= ${now().toISOString()}::timestamptz
      union all
      select ${slot(presenceRecords.onlineAt)}, 0, 0, 1 ${connections}
        and (${presenceRecords.offlineAt} is null or ${presenceRecords.offlineAt} > ${from})
      union all
      select ${slot(presenceRecords.offlineAt)}, 0, 0, -1 ${connections}
        and ${presenceRecords.offlineAt} > ${from}
    ) as changes group by slot`)
  const changes = new Map(rows.map((row) => [row.slot, row]))
  let seen = 0
  let away = 0
  let online = 0
  const percent: (number | null)[] = []
  for (let i = 0; i <= BUCKETS; i++) {
    const change = changes.get(i)
    seen += change?.devices ?? 0
    away += change?.away ?? 0
    online += change?.online ?? 0
    const known = seen - away
    // A takeover briefly overlaps the previous connection: limited to 100 %.
    percent.push(known === 0 || away > known ? null : Math.min(100, Math.max(0, (online / known) * 100)))
  }
  // The end of the last bucket is in the future: replaced by now.
  const at = percent.map((_, i) => new Date(Math.min(start + i * BUCKET_MS, now().getTime())))
  return { at, percent }
}

/** The hours of the reports, each at its end; then what is true now. */
async function readSummedShare({ db, actor, now }: CallContext, { online, offline }: Counts) {
  const hour = Math.floor(now().getTime() / HOUR_MS) * HOUR_MS
  const where = sql`${visible(actor).reports.sums(fleetHours, {})} and ${fleetHours.model} = '*'
    and ${fleetHours.hour} >= to_timestamp(${(hour - DAY_MS) / 1000}::float8) and ${fleetHours.hour} < to_timestamp(${hour / 1000}::float8)`
  const rows = await db.execute<{ at: number; devices: number; knownS: number; onlineS: number }>(sql`
    select (extract(epoch from ${fleetHours.hour}) * 1000)::float8 as at, sum(${fleetHours.devices})::float8 as devices,
      sum(${fleetHours.knownS})::float8 as "knownS", sum(${fleetHours.onlineS})::float8 as "onlineS"
    from ${fleetHours} where ${where} group by ${fleetHours.hour}`)
  const percents = new Map(rows.map((row) => [row.at, bucketPercent(row, HOUR_MS / 1000)]))
  const begins = Array.from({ length: DAY_MS / HOUR_MS }, (_, i) => hour - DAY_MS + i * HOUR_MS)
  return {
    at: [...begins.map((begin) => new Date(begin + HOUR_MS)), now()],
    percent: [...begins.map((begin) => percents.get(begin) ?? null), (100 * online) / (online + offline)],
  }
}

type Counts = { online: number; offline: number }

export const readOnlineShare = (ctx: CallContext, counts: Counts) =>
  counts.online + counts.offline > RECORDS_MAX ? readSummedShare(ctx, counts) : readRecordedShare(ctx)
