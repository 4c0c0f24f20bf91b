/** The online share of the last 24 hours, as the home page draws it. */
import { sql } from 'drizzle-orm'
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

/**
 * Share of devices that were online at the end of each 10 minutes, of those that had been seen by then
 * [decisions/043]; null before there was any. Connects and disconnects are counted per bucket and summed, so each
 * record is read once; for the first connection only that of a device whose last one is in this day is looked up.
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
  const rows = await db.execute<{ slot: number; devices: string | number; online: string | number }>(sql`
    select slot, sum(devices) as devices, sum(online) as online from (
      select ${slot(firstSeen)} as slot, 1 as devices, 0 as online from ${devices}
        join ${deviceStates} on ${deviceStates.deviceId} = ${devices.id}
        where ${mine} and ${deviceStates.onlineChangedAt} is not null
      union all
      select ${slot(presenceRecords.onlineAt)}, 0, 1 ${connections}
        and (${presenceRecords.offlineAt} is null or ${presenceRecords.offlineAt} > ${from})
      union all
      select ${slot(presenceRecords.offlineAt)}, 0, -1 ${connections}
        and ${presenceRecords.offlineAt} > ${from}
    ) as changes group by slot`)
  const changes = new Map(rows.map((row) => [row.slot, row]))
  let known = 0
  let online = 0
  const percent: (number | null)[] = []
  for (let i = 0; i <= BUCKETS; i++) {
    known += Number(changes.get(i)?.devices ?? 0)
    online += Number(changes.get(i)?.online ?? 0)
    // A takeover briefly overlaps the previous connection: limited to 100 %.
    percent.push(known === 0 ? null : Math.min(100, Math.max(0, (online / known) * 100)))
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
  const rows = await db.execute<{ at: number; percent: number | null }>(sql`
    select (extract(epoch from ${fleetHours.hour}) * 1000)::float8 as at,
      (100 * sum(${fleetHours.onlineS})::float8 / nullif(sum(${fleetHours.knownS}), 0)) as percent
    from ${fleetHours} where ${where} group by ${fleetHours.hour}`)
  const percents = new Map(rows.map((row) => [row.at, row.percent]))
  const begins = Array.from({ length: DAY_MS / HOUR_MS }, (_, i) => hour - DAY_MS + i * HOUR_MS)
  return {
    at: [...begins.map((begin) => new Date(begin + HOUR_MS)), now()],
    percent: [...begins.map((begin) => percents.get(begin) ?? null), (100 * online) / (online + offline)],
  }
}

type Counts = { online: number; offline: number }

export const readOnlineShare = (ctx: CallContext, counts: Counts) =>
  counts.online + counts.offline > RECORDS_MAX ? readSummedShare(ctx, counts) : readRecordedShare(ctx)
