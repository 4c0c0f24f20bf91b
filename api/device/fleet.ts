import { and, count, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { deviceStates as states } from '#schema/device/device-state'
import { getFleetSummary } from '#schema/device/fleet'
import { deviceStates, devices } from '#schema/tables/device'
import { presenceRecords } from '#schema/tables/presence'
import { type CallContext, handler } from '../kit/handler.ts'
import { ownMoment } from '../kit/history.ts'
import { visible } from '../kit/scope.ts'
import { isOnline } from './device-filter.ts'
import { stateOf } from './device-state.ts'

const DAY_MS = 86_400_000
const BUCKET_MS = 600_000
const BUCKETS = DAY_MS / BUCKET_MS
const FIRMWARES_SHOWN = 20

/**
 * Share of devices that were online at the end of each 10 minutes, of those that had been seen by then
 * [decisions/043]; null before there was any. Connects and disconnects are counted per bucket and summed, so each
 * record is read once; for the first connection only that of a device whose last one is in this day is looked up.
 */
async function readOnlineShare({ db, actor, now }: CallContext) {
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

async function readCounts({ db, actor, now }: CallContext) {
  const state = stateOf(now()).as('state')
  const rows = await db
    .select({
      state,
      count: count(),
      online: sql<number>`count(*) filter (where ${isOnline})`.mapWith(Number),
      neverSeen: sql<number>`count(*) filter (where ${deviceStates.onlineChangedAt} is null)`.mapWith(Number),
    })
    .from(devices)
    .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
    .where(visible(actor).devices)
    .groupBy(sql`1`)
  const sum = (of: 'count' | 'online' | 'neverSeen') => rows.reduce((total, row) => total + row[of], 0)
  const [online, neverSeen] = [sum('online'), sum('neverSeen')]
  return {
    online,
    neverSeen,
    offline: sum('count') - online - neverSeen,
    states: states.flatMap((name) => {
      const row = rows.find((one) => one.state === name)
      return row ? [{ state: name, count: row.count }] : []
    }),
  }
}

export const getFleetSummaryHandler = handler(getFleetSummary, async (ctx) => {
  const mine = visible(ctx.actor).devices
  const firmwares = ctx.db
    .select({ value: sql<string>`${devices.firmware}`, count: count() })
    .from(devices)
    .where(and(mine, isNotNull(devices.firmware)))
    .groupBy(devices.firmware)
    .orderBy(desc(count()), devices.firmware)
    .limit(FIRMWARES_SHOWN)
  const [counts, versions, onlineShare] = await Promise.all([
    readCounts(ctx),
    firmwares,
    readOnlineShare(ctx),
  ])
  return { ...counts, firmwares: versions, onlineShare }
})
