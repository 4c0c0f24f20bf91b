/** Which devices can take a task, which not, and why: for the preflight check and the creation. */

import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { DeviceFilter } from '#schema/device/device'
import { deviceRefusals } from '#schema/device/device-refusals'
import { refuse } from '#schema/kit/refusal'
import { deviceConfigs } from '#schema/tables/config'
import { deviceStates, devices } from '#schema/tables/device'
import type { DelayReason } from '#schema/task/file-task'
import { TASK_MAX_DEVICES } from '#schema/task/task-guard'
import { taskRefusals } from '#schema/task/task-refusals'
import { deviceCondition, isOnline } from '../device/device-filter.ts'
import { amongIds } from '../kit/among-ids.ts'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'

export type Target = { dids?: number[] | undefined; filter?: DeviceFilter | undefined }
/** The properties that decide whether a device can take a file. */
export type Candidate = {
  sn: string
  customerId: number
  model: string | null
  firmware: string | null
  packages: Record<string, string> | null
  features: readonly string[] | null
  /** Its configuration level; null if its software does not report one. */
  configLevel: number | null
  abilities: readonly string[] | null
  revoked: boolean
}
export type Sized<R extends string> = {
  eligible: { id: number; customerId: number; groupId: number; model: string | null }[]
  delayed: { sn: string; reason: DelayReason }[]
  ineligible: { id: number; sn: string; reason: R | 'notFound' }[]
}

/**
 * Something of another task runs on the device, or has to be withdrawn from it; or, if it is online, its turn in one has
 * come. One that waits in a task that is paused, not approved, or at an earlier wave takes no turn from this one.
 */
const isBusy = (now: Date) => sql<boolean>`(exists (
  select 1 from task_items i join tasks t on t.id = i.task_id where i.device_id = ${devices.id} and i.outcome is null
    and (i.sending <> 'none'
      or ${isOnline} and i.wave <= t.wave and t.paused_at is null and t.start_at <= ${now.toISOString()}::timestamptz))
  or exists (select 1 from task_items i
    where i.device_id = ${devices.id} and i.outcome in ('failed', 'cancelled') and i.sending <> 'none'))`

async function condition(ctx: CallContext, { dids, filter }: Target): Promise<SQL> {
  if (dids?.length) return amongIds(devices.id, dids)
  if (dids || !filter) refuse(deviceRefusals.nothingSelected, {}, 'dids')
  return deviceCondition(ctx, filter)
}

/**
 * Checks the listed devices, or those of the filter: `why` says why a device cannot take the file; null: it can. @throws Refusal if nothing is selected, or more
 * devices than a task may have.
 */
export async function checkTarget<R extends string>(
  ctx: CallContext,
  target: Target,
  why: (device: Candidate) => R | null,
): Promise<Sized<R>> {
  const dids = target.dids && [...new Set(target.dids)]
  const rows = await ctx.db
    .select({
      id: devices.id,
      sn: devices.sn,
      customerId: devices.customerId,
      groupId: devices.groupId,
      model: devices.model,
      firmware: devices.firmware,
      packages: devices.packages,
      features: devices.features,
      configLevel: deviceConfigs.level,
      abilities: deviceConfigs.abilities,
      revoked: sql<boolean>`${devices.secretHash} is null`,
      online: isOnline,
      busy: isBusy(ctx.now()),
    })
    .from(devices)
    .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
    .leftJoin(deviceConfigs, eq(deviceConfigs.deviceId, devices.id))
    .where(and(visible(ctx.actor).devices, await condition(ctx, { ...target, dids })))
    .orderBy(devices.id)
    .limit(TASK_MAX_DEVICES + 1)
  if (Math.max(rows.length, dids?.length ?? 0) > TASK_MAX_DEVICES)
    refuse(taskRefusals.taskTooMany, { max: TASK_MAX_DEVICES })
  const sized: Sized<R> = { eligible: [], delayed: [], ineligible: [] }
  for (const row of rows) {
    const reason = why(row)
    if (reason) {
      sized.ineligible.push({ id: row.id, sn: row.sn, reason })
      continue
    }
    sized.eligible.push({ id: row.id, customerId: row.customerId, groupId: row.groupId, model: row.model })
    if (row.busy) sized.delayed.push({ sn: row.sn, reason: 'busy' })
    else if (!row.online) sized.delayed.push({ sn: row.sn, reason: 'offline' })
  }
  // A device of another customer is treated like a missing one.
  const seen = new Set(rows.map((row) => row.id))
  for (const id of dids ?? [])
    if (!seen.has(id)) sized.ineligible.push({ id, sn: String(id), reason: 'notFound' })
  return sized
}
