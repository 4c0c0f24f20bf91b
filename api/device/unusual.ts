import { and, asc, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { deviceRefusals } from '#schema/device/device-refusals'
import {
  deleteDevices,
  getUnusualList,
  purgeDevices,
  purgeDevicesForEver,
  restoreDevices,
  type UnusualSelection,
} from '#schema/device/unusual'
import { refuse } from '#schema/kit/refusal'
import { customers } from '#schema/tables/customer'
import { devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { users } from '#schema/tables/user'
import { sweepTasks } from '#schema/task/task'
import { amongIds } from '../kit/among-ids.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { contains } from '../kit/paging.ts'
import { visible } from '../kit/scope.ts'
import { inGroupTree } from '../kit/visible-ids.ts'
import { wake } from '../kit/wake-job.ts'
import { checkFound, type Found, idsOf, selectedDevices, tellDevices } from './device-selection.ts'
import { cutOff, endOpenWork } from './end-device-work.ts'

export const deleteDevicesHandler = handler(deleteDevices, async (ctx, body) => {
  const chosen = await selectedDevices(ctx, body)
  const now = ctx.now()
  const gone = await ctx.db.transaction(async (tx) => {
    const rows = await tx
      .select({ id: devices.id, sn: devices.sn })
      .from(devices)
      .where(and(visible(ctx.actor).devices, chosen))
      .orderBy(asc(devices.id))
      .for('update')
    checkFound(body, rows)
    const ids = idsOf(rows)
    await tx
      .update(devices)
      .set({ deletedAt: now, deletedBy: ctx.actor.userId, deletedReason: body.reason })
      .where(amongIds(devices.id, ids))
    await endOpenWork(tx, ids, 'deviceDeleted', now)
    await cutOff(tx, ids, 'deleted')
    return rows
  })
  tellDevices(ctx, gone, { deleted: true, reason: body.reason })
  await wake(ctx, sweepTasks)
  return { dids: idsOf(gone) }
})

async function unusualCondition(
  ctx: CallContext,
  filter: NonNullable<UnusualSelection['filter']>,
): Promise<SQL | undefined> {
  const pattern = filter.search ? contains(filter.search.toLowerCase()) : null
  const holds = (column: typeof devices.sn | typeof devices.name | typeof devices.deletedReason) =>
    sql`lower(${column}) like ${pattern}`
  return and(
    pattern === null ? undefined : or(holds(devices.sn), holds(devices.name), holds(devices.deletedReason)),
    filter.groupId === undefined ? undefined : await inGroupTree(ctx, filter.groupId),
  )
}

export const getUnusualListHandler = listOf(
  getUnusualList,
  'unusualDevices',
  async (ctx, body) => {
    const successors = alias(devices, 'successors')
    return {
      table: devices,
      rows: ctx.db
        .select({
          deviceId: devices.id,
          deviceSn: devices.sn,
          deviceName: devices.name,
          groupId: devices.groupId,
          groupName: groups.name,
          customerName: customers.name,
          model: devices.model,
          firmware: devices.firmware,
          timeZone: devices.timeZone,
          deletedAt: devices.deletedAt,
          deletedBy: knownName(ctx.actor, users, devices.deletedBy),
          deletedReason: devices.deletedReason,
          // If it was moved since, it belongs to another customer.
          replacedBy: sql<string | null>`(select max(${successors.sn}) from ${devices} as successors
            where ${successors.replacesId} = ${devices.id} and ${successors.customerId} = ${devices.customerId} and ${isNull(successors.purgedAt)})`,
        })
        .from(devices)
        .innerJoin(groups, eq(groups.id, devices.groupId))
        .innerJoin(customers, eq(customers.id, devices.customerId))
        .leftJoin(users, eq(users.id, devices.deletedBy)),
      condition: await unusualCondition(ctx, body),
      known: [devices.deletedAt],
    }
  },
  (rows, { now }) => rows.map((row) => ({ ...row, deletedAt: row.deletedAt ?? now() })),
)

/** Changes the selected abnormal devices; returns which they were. */
async function changeUnusual(
  ctx: CallContext,
  selection: UnusualSelection,
  set: Partial<Record<keyof typeof devices.$inferInsert, unknown>>,
): Promise<Found[]> {
  const { dids, filter } = selection
  if (dids ? dids.length === 0 : !filter) refuse(deviceRefusals.nothingSelected, {}, 'dids')
  const chosen = dids ? amongIds(devices.id, dids) : await unusualCondition(ctx, filter ?? {})
  return ctx.db.transaction(async (tx) => {
    const rows = await tx
      .select({ id: devices.id, sn: devices.sn })
      .from(devices)
      .where(and(visible(ctx.actor).unusualDevices, chosen))
      .orderBy(asc(devices.id))
      .for('update')
    checkFound(selection, rows)
    const ids = idsOf(rows)
    await tx
      .update(devices)
      .set(set as Partial<typeof devices.$inferInsert>)
      .where(amongIds(devices.id, ids))
    return rows
  })
}

export const restoreDevicesHandler = handler(restoreDevices, async (ctx, body) => {
  const back = await changeUnusual(ctx, body, { deletedAt: null, deletedBy: null, deletedReason: null })
  tellDevices(ctx, back, { deleted: false })
  return { restored: back.length }
})

export const purgeDevicesForEverHandler = handler(purgeDevicesForEver, async (ctx, body) => {
  // `#` is not allowed in serial numbers: the freed one may be used while the job still deletes the rest.
  const gone = await changeUnusual(ctx, body, {
    purgedAt: ctx.now(),
    sn: sql`'#' || ${devices.id}`,
    name: '#',
    secretHash: null,
    secretSealed: null,
  })
  tellDevices(ctx, gone, { purged: true })
  await wake(ctx, purgeDevices)
  return { purged: gone.length }
})
