import { and, count, desc, eq, gt, isNotNull, sql } from 'drizzle-orm'
import { getFleetSummary } from '#schema/device/fleet'
import { deviceStates, devices } from '#schema/tables/device'
import { deviceWarnings } from '#schema/tables/inbox'
import { presenceRecords } from '#schema/tables/presence'
import { taskItems, tasks } from '#schema/tables/task'
import { type CallContext, handler } from '../kit/handler.ts'
import { ownMoment } from '../kit/history.ts'
import { visible } from '../kit/scope.ts'
import { isOnline } from './device-filter.ts'

const DAY_MS = 86_400_000
const BUCKET_MS = 600_000
const BUCKETS = DAY_MS / BUCKET_MS
const WARNINGS_SHOWN = 10
const FIRMWARES_SHOWN = 20

/**
 * Share of devices that were online at the end of each 10 minutes; null before there was any device. Connects and
 * disconnects are counted per bucket and summed, so each record is read once.
 */
async function readOnlineShare({ db, actor, now }: CallContext) {
  const mine = visible(actor).devices
  const end = Math.ceil(now().getTime() / BUCKET_MS) * BUCKET_MS
  const start = end - DAY_MS
  const slot = (column: unknown) =>
    sql`greatest(0, least(${BUCKETS}, ceil((extract(epoch from ${column}) * 1000 - ${start}) / ${BUCKET_MS}))::int)`
  const connections = sql`from ${presenceRecords} join ${devices} on ${devices.id} = ${presenceRecords.deviceId}
    where ${mine} and ${ownMoment(presenceRecords.onlineAt)}`
  const rows = await db.execute<{ slot: number; devices: string | number; online: string | number }>(sql`
    select slot, sum(devices) as devices, sum(online) as online from (
      select ${slot(devices.createdAt)} as slot, 1 as devices, 0 as online from ${devices} where ${mine}
      union all
      select ${slot(presenceRecords.onlineAt)}, 0, 1 ${connections}
        and (${presenceRecords.offlineAt} is null or ${presenceRecords.offlineAt} > to_timestamp(${start / 1000}::float8))
      union all
      select ${slot(presenceRecords.offlineAt)}, 0, -1 ${connections}
        and ${presenceRecords.offlineAt} > to_timestamp(${start / 1000}::float8)
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

async function readCounts({ db, actor }: CallContext) {
  const [row] = await db
    .select({
      online: sql<number>`count(*) filter (where ${isOnline})`.mapWith(Number),
      neverSeen: sql<number>`count(*) filter (where ${deviceStates.onlineChangedAt} is null)`.mapWith(Number),
      total: count(),
    })
    .from(devices)
    .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
    .where(visible(actor).devices)
  const { online, neverSeen, total } = row ?? { online: 0, neverSeen: 0, total: 0 }
  return { online, neverSeen, offline: total - online - neverSeen }
}

async function readTasks({ db, actor, now }: CallContext) {
  const [running] = await db
    .select({
      ongoing: count(),
      paused: sql<number>`count(*) filter (where ${tasks.pausedAt} is not null)`.mapWith(Number),
    })
    .from(tasks)
    .where(and(visible(actor).tasks, eq(tasks.status, 'ongoing')))
  const [failed] = await db
    .select({ items: count() })
    .from(taskItems)
    .innerJoin(devices, eq(devices.id, taskItems.deviceId))
    .where(
      and(
        visible(actor).devices,
        eq(taskItems.outcome, 'failed'),
        eq(taskItems.superseded, false),
        // Failures under a former owner belong to them.
        eq(taskItems.customerId, devices.customerId),
        gt(taskItems.stepAt, new Date(now().getTime() - DAY_MS)),
      ),
    )
  return { ongoing: running?.ongoing ?? 0, paused: running?.paused ?? 0, failedItems24h: failed?.items ?? 0 }
}

export const getFleetSummaryHandler = handler(getFleetSummary, async (ctx) => {
  const mine = visible(ctx.actor).devices
  const firmwares = ctx.db
    .select({ value: sql<string>`${devices.firmware}`, count: count() })
    .from(devices)
    .where(and(mine, isNotNull(devices.firmware)))
    .groupBy(devices.firmware)
    .orderBy(desc(count()))
    .limit(FIRMWARES_SHOWN)
  const warnings = ctx.db
    .select({
      deviceId: devices.id,
      deviceSn: devices.sn,
      deviceName: devices.name,
      at: deviceWarnings.at,
      what: deviceWarnings.what,
    })
    .from(deviceWarnings)
    .innerJoin(devices, eq(devices.id, deviceWarnings.deviceId))
    .where(
      and(
        mine,
        ownMoment(deviceWarnings.at),
        gt(deviceWarnings.at, new Date(ctx.now().getTime() - 7 * DAY_MS)),
      ),
    )
    .orderBy(desc(deviceWarnings.at))
    .limit(WARNINGS_SHOWN)
  const [counts, versions, running, recent, onlineShare] = await Promise.all([
    readCounts(ctx),
    firmwares,
    readTasks(ctx),
    warnings,
    readOnlineShare(ctx),
  ])
  return { ...counts, firmwares: versions, tasks: running, warnings: recent, onlineShare }
})
