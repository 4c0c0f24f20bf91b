import { and, count, desc, eq, gt, ne, sql } from 'drizzle-orm'
import { alarmListPermission } from '#schema/alarm/alarm'
import { deviceListPermission } from '#schema/device/device-pages'
import {
  CHANGES_MAX_MS,
  CHANGES_NAMED,
  FIRST_VISIT_MS,
  getHomeChanges,
  presenceChanges,
  VISIT_GAP_MS,
} from '#schema/platform/home-changes'
import { operationLogPermission } from '#schema/platform/operation'
import { alarms } from '#schema/tables/alarm'
import { deviceStates, devices } from '#schema/tables/device'
import { operations } from '#schema/tables/operation'
import { presenceRecords } from '#schema/tables/presence'
import { tasks } from '#schema/tables/task'
import { homeVisits } from '#schema/tables/user'
import { taskListPermission } from '#schema/task/task-pages'
import { holds } from '../kit/actor.ts'
import { countSome } from '../kit/bounded-count.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { ownMoment } from '../kit/history.ts'
import { visible } from '../kit/scope.ts'
import { countItems } from '../task/task-row.ts'
import { selectOperations } from './operation.ts'

/** When the visit before this one ended; null: there was none. */
async function visit({ db, actor, now }: CallContext): Promise<Date | null> {
  if (actor.apiToken) {
    const [row] = await db.select().from(homeVisits).where(eq(homeVisits.userId, actor.userId))
    return row?.seenAt ?? null
  }
  const seenAt = now()
  const over = new Date(seenAt.getTime() - VISIT_GAP_MS).toISOString()
  const [row] = await db
    .insert(homeVisits)
    .values({ userId: actor.userId, seenAt })
    .onConflictDoUpdate({
      target: homeVisits.userId,
      set: {
        seenAt,
        since: sql`case when ${homeVisits.seenAt} < ${over}::timestamptz then ${homeVisits.seenAt} else ${homeVisits.since} end`,
      },
    })
    .returning({ since: homeVisits.since })
  return row?.since ?? null
}

async function readAlarms({ db, actor }: CallContext, since: Date) {
  const seen = visible(actor).alarms
  const [started, ended] = await Promise.all([
    countSome(db, alarms, and(seen, gt(alarms.startedAt, since))),
    countSome(db, alarms, and(seen, gt(alarms.endedAt, since))),
  ])
  return { started: started.total, ended: ended.total }
}

/**
 * The net change: a device that went and returned twice is online again. After an outage all of 100,000 devices have
 * changed, so neither their records are read nor all of them sorted.
 */
async function readDevices({ db, actor }: CallContext, since: Date) {
  const place = (name: (typeof presenceChanges)[number]) => sql.raw(String(presenceChanges.indexOf(name)))
  const firstOnline = sql`(select min(${presenceRecords.onlineAt}) from ${presenceRecords} where ${presenceRecords.deviceId} = ${devices.id})`
  // It has restarted since it first connected, as a new device does that is upgraded at once. What has used its secret
  // before is not new.
  const isNew = sql`coalesce(${gt(devices.secretUsedAt, since)}, true) and ${firstOnline} > ${since.toISOString()}::timestamptz`
  const changed = db.$with('changed').as(
    db
      .select({
        deviceId: sql<number>`${devices.id}`.as('device_id'),
        change:
          sql<number>`case when not ${deviceStates.online} then ${place('offline')} when ${deviceStates.onlineCount} = 1 or (${isNew}) then ${place('first')} else ${place('back')} end`.as(
            'change',
          ),
        at: sql<Date>`${deviceStates.onlineChangedAt}`.mapWith(deviceStates.onlineChangedAt).as('at'),
      })
      .from(deviceStates)
      .innerJoin(devices, eq(devices.id, deviceStates.deviceId))
      .where(
        and(
          visible(actor).devices,
          gt(deviceStates.onlineChangedAt, since),
          ownMoment(deviceStates.onlineChangedAt),
        ),
      ),
  )
  const counted = db
    .select({ change: changed.change, total: count().as('total') })
    .from(changed)
    .groupBy(changed.change)
    .as('counted')
  const newest = db
    .select({ deviceId: changed.deviceId, at: changed.at })
    .from(changed)
    .where(sql`changed.change = counted.change`)
    .orderBy(desc(changed.at), changed.deviceId)
    .limit(CHANGES_NAMED)
    .as('newest')
  const rows = await db
    .with(changed)
    .select({
      change: counted.change,
      total: counted.total,
      deviceId: devices.id,
      groupId: devices.groupId,
      deviceName: devices.name,
      at: newest.at,
    })
    .from(counted)
    .innerJoinLateral(newest, sql`true`)
    .innerJoin(devices, eq(devices.id, newest.deviceId))
    .orderBy(desc(newest.at), devices.id)
  return presenceChanges.map((name, index) => {
    const found = rows.filter(({ change }) => change === index)
    return {
      change: name,
      count: found[0]?.total ?? 0,
      first: found.map(({ change: _, total: __, ...named }) => named),
    }
  })
}

async function readTasks(ctx: CallContext, since: Date) {
  const where = and(visible(ctx.actor).tasks, gt(tasks.completedAt, since))
  const [[counted], rows] = await Promise.all([
    ctx.db.select({ total: count() }).from(tasks).where(where),
    ctx.db
      .select({ taskId: tasks.id, name: tasks.name, completedAt: tasks.completedAt })
      .from(tasks)
      .where(where)
      .orderBy(desc(tasks.completedAt))
      .limit(CHANGES_NAMED),
  ])
  const counts = await countItems(
    ctx,
    rows.map(({ taskId }) => taskId),
  )
  return {
    count: counted?.total ?? 0,
    first: rows.map((row) => ({ ...row, failed: counts(row.taskId).counts.failed })),
  }
}

async function readOperations(ctx: CallContext, since: Date) {
  const where = and(
    visible(ctx.actor).operations,
    gt(operations.at, since),
    eq(operations.code, 0),
    ne(operations.userId, ctx.actor.userId),
  )
  const [counted, first] = await Promise.all([
    countSome(ctx.db, operations, where),
    selectOperations(ctx).where(where).orderBy(desc(operations.at), desc(operations.id)).limit(CHANGES_NAMED),
  ])
  return { count: counted.total, first }
}

export const getHomeChangesHandler = handler(getHomeChanges, async (ctx) => {
  const last = await visit(ctx)
  const now = ctx.now().getTime()
  const since = new Date(last ? Math.max(last.getTime(), now - CHANGES_MAX_MS) : now - FIRST_VISIT_MS)
  const may = (permission: Parameters<typeof holds>[1]) => holds(ctx.actor, permission)
  const [ofAlarms, ofDevices, ofTasks, ofOperations] = await Promise.all([
    may(alarmListPermission) ? readAlarms(ctx, since) : null,
    may(deviceListPermission) ? readDevices(ctx, since) : null,
    may(taskListPermission) ? readTasks(ctx, since) : null,
    may(operationLogPermission) ? readOperations(ctx, since) : null,
  ])
  return {
    since,
    first: last === null,
    alarms: ofAlarms,
    devices: ofDevices,
    tasks: ofTasks,
    operations: ofOperations,
  }
})
