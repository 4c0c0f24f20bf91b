/** Selecting many devices: which ones, whether all are visible, and their entry in the operation log. */

import { type SQL, sql } from 'drizzle-orm'
import type { DeviceSelection } from '#schema/device/device'
import { deviceRefusals } from '#schema/device/device-refusals'
import { refuse } from '#schema/kit/refusal'
import { absent } from '#schema/people/session-refusals'
import { deviceStates, devices } from '#schema/tables/device'
import { commandRefusals } from '#schema/task/command-refusals'
import { tell } from '../kit/about.ts'
import { amongIds } from '../kit/among-ids.ts'
import type { CallContext } from '../kit/handler.ts'
import { deviceCondition } from './device-filter.ts'

export type Found = { id: number; sn: string }
export const idsOf = (rows: readonly Found[]) => rows.map(({ id }) => id)

/**
 * The listed devices, or those of the filter, as a condition on `devices` only; it does not limit listed ones to
 * visible ones (`visible` does). @throws Refusal if nothing is selected.
 */
export async function selectedDevices(ctx: CallContext, { dids, filter }: DeviceSelection): Promise<SQL> {
  if (dids?.length) return amongIds(devices.id, dids)
  if (dids || !filter) refuse(deviceRefusals.nothingSelected, {}, 'dids')
  const condition = await deviceCondition(ctx, filter)
  return sql`${devices.id} in (select ${devices.id} from ${devices} left join ${deviceStates} on ${deviceStates.deviceId} = ${devices.id} where ${condition})`
}

/** @throws Refusal taskGrew if more devices match than were confirmed */
export function checkCount({ atMost }: Pick<DeviceSelection, 'atMost'>, matching: number): void {
  if (atMost !== undefined && matching > atMost)
    refuse(commandRefusals.taskGrew, { count: matching }, 'atMost')
}

/**
 * All listed devices must be visible: an invisible one is treated like a missing one. @throws Refusal 5, if
 * nothing is selected, or as `checkCount`
 */
export function checkFound(
  { dids, atMost }: Pick<DeviceSelection, 'dids' | 'atMost'>,
  rows: readonly Found[],
): void {
  if (dids && rows.length < new Set(dids).size) refuse(absent)
  if (rows.length === 0) refuse(deviceRefusals.nothingSelected, {}, 'dids')
  checkCount({ atMost }, rows.length)
}

export function tellDevices(
  ctx: CallContext,
  rows: readonly Found[],
  after: Record<string, unknown>,
  before?: readonly unknown[],
): void {
  tell(
    ctx,
    rows.map(({ id, sn }) => ({ id, name: sn })),
  )
  ctx.note({ after: { ...after, devices: rows.length }, before })
}
