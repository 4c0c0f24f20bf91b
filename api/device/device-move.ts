import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { moveDevices } from '#schema/device/device-move'
import { refuse } from '#schema/kit/refusal'
import { isPlatformType } from '#schema/people/session'
import { sessionRefusals } from '#schema/people/session-refusals'
import { alarmMarks } from '#schema/tables/alarm'
import { deviceConfigs } from '#schema/tables/config'
import { configTemplateUses, configVariableValues } from '#schema/tables/config-template'
import { deviceStates, devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { printers } from '#schema/tables/printer'
import { taskItems } from '#schema/tables/task'
import { terminals } from '#schema/tables/terminal'
import { sweepTasks } from '#schema/task/task'
import { storedGroup } from '../group/group-object.ts'
import { rowOf } from '../kit/about.ts'
import { amongIds } from '../kit/among-ids.ts'
import { handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { wake } from '../kit/wake-job.ts'
import { checkFound, idsOf, selectedDevices, tellDevices } from './device-selection.ts'
import { cutOff, endOpenWork, type Transaction } from './end-device-work.ts'

/** Devices that are writing their firmware: users who wait for them must be able to see the end. */
async function flashing(tx: Transaction, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await tx
    .select({ id: taskItems.deviceId })
    .from(taskItems)
    .where(and(amongIds(taskItems.deviceId, ids), isNull(taskItems.outcome), eq(taskItems.step, 'upgrading')))
  return new Set(rows.map(({ id }) => id))
}

/** Moves devices to another customer: their history and last reports stay with the former one. */
async function moveToCustomer(
  tx: Transaction,
  ids: readonly number[],
  customerId: number,
  now: Date,
): Promise<void> {
  if (ids.length === 0) return
  await endOpenWork(tx, ids, 'deviceMoved', now)
  await tx
    .update(devices)
    // After all timestamps written by the move itself, which still belong to the former owner.
    .set({ customerId, ownedSince: new Date(now.getTime() + 1), simState: null })
    .where(amongIds(devices.id, ids))
  // What changes and reboots are compared with.
  await tx.delete(alarmMarks).where(amongIds(alarmMarks.deviceId, ids))
  await tx.delete(deviceStates).where(amongIds(deviceStates.deviceId, ids))
  // Equipment at a device, with its names, places and usage, belongs to the former owner.
  await tx.delete(terminals).where(amongIds(terminals.deviceId, ids))
  await tx.delete(printers).where(amongIds(printers.deviceId, ids))
  // So do the templates that name it, their values for it, and what was set on it instead of theirs.
  await tx.delete(configTemplateUses).where(amongIds(configTemplateUses.deviceId, ids))
  await tx.delete(configVariableValues).where(amongIds(configVariableValues.deviceId, ids))
  await tx.update(deviceConfigs).set({ own: {} }).where(amongIds(deviceConfigs.deviceId, ids))
  await tx.execute(
    sql`insert into device_states (device_id) select id from devices where ${amongIds(devices.id, ids)}`,
  )
  await cutOff(tx, ids, 'moved')
}

export const moveDevicesHandler = handler(moveDevices, async (ctx, body) => {
  const group = rowOf(ctx, storedGroup)
  const chosen = await selectedDevices(ctx, body)
  const now = ctx.now()
  const answer = await ctx.db.transaction(async (tx) => {
    const rows = await tx
      .select({ id: devices.id, sn: devices.sn, customerId: devices.customerId, groupName: groups.name })
      .from(devices)
      .innerJoin(groups, eq(groups.id, devices.groupId))
      .where(and(visible(ctx.actor).devices, chosen))
      .orderBy(asc(devices.id))
      .for('update', { of: devices })
    checkFound(body, rows)
    const leaving = rows.filter(({ customerId }) => customerId !== group.customerId)
    if (leaving.length > 0 && !isPlatformType(ctx.actor.type)) refuse(sessionRefusals.noPermission)
    const stay = await flashing(tx, idsOf(leaving))
    const moved = rows.filter(({ id }) => !stay.has(id))
    const given = idsOf(leaving).filter((id) => !stay.has(id))
    await tx
      .update(devices)
      .set({ groupId: group.id })
      .where(amongIds(devices.id, idsOf(moved)))
    await moveToCustomer(tx, given, group.customerId, now)
    return { moved, given: given.length, upgrading: rows.filter(({ id }) => stay.has(id)) }
  })
  // The previous groups, for undoing. The new owner can read this row too, so it contains none of the former one's
  // groups.
  const before =
    answer.given > 0
      ? undefined
      : [...Map.groupBy(answer.moved, ({ groupName }) => groupName)].map(([from, rows]) => ({
          group: from,
          devices: rows.map(({ sn }) => sn),
        }))
  tellDevices(ctx, answer.moved, { group: group.name, changedCustomer: answer.given }, before)
  if (answer.given > 0) await wake(ctx, sweepTasks)
  return {
    moved: answer.moved.length,
    changedCustomer: answer.given,
    upgrading: answer.upgrading.map(({ sn }) => sn),
  }
})
