/** Which devices a command to many would reach now, which not, and why: for the preview and for sending. */

import { and, eq, type SQL, sql } from 'drizzle-orm'
import { commandBook } from '#infra/task-kinds'
import type { DeviceSelection } from '#schema/device/device'
import type { Command } from '#schema/kit/command'
import { refuse } from '#schema/kit/refusal'
import { deviceStates, devices } from '#schema/tables/device'
import { TASK_MAX_DEVICES } from '#schema/task/task-guard'
import { taskRefusals } from '#schema/task/task-refusals'
import { groupLeftOut, type LeftOut, type LeftOutReason } from '#schema/task/task-target'
import { isOnline } from '../device/device-filter.ts'
import type { Found } from '../device/device-selection.ts'
import type { Transaction } from '../device/end-device-work.ts'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'

const restarting = [...commandBook.values()]
  .filter(({ verify }) => verify === 'return')
  .map(({ name }) => name)

export type Target = Found & { customerId: number; groupId: number }
export type Aimed = { matching: number; eligible: readonly Target[]; leftOut: LeftOut[] }

const names = (list: readonly string[]) => sql`any(${`{${list.join(',')}}`}::text[])`

/** What prevents the command; null: nothing. Restarts of all kinds exclude each other. */
const hindrance = (command: Command, waits: boolean): SQL<LeftOutReason | null> => {
  const same = names([...new Set([command.name, ...(command.verify === 'return' ? restarting : [])])])
  return sql<LeftOutReason | null>`case
  when ${devices.features} is not null and not (${devices.features} ? ${command.name}::text) then 'unsupported'
  when not ${isOnline} and not ${waits} then 'offline'
  when exists (select 1 from task_items i where i.device_id = ${devices.id} and i.outcome is null and i.step = 'upgrading'
    and exists (select 1 from tasks t where t.id = i.task_id and t.command is null)) then 'upgrading'
  when exists (select 1 from commands c where c.device_id = ${devices.id} and c.ended_at is null and c.name = ${same})
    or exists (select 1 from task_items i join tasks t on t.id = i.task_id
      where i.device_id = ${devices.id} and i.outcome is null and t.pause_reason is distinct from 'approval' and t.command = ${same}) then 'busy'
  end`
}

/**
 * `condition`: the selection's (`selectedDevices`), built before `db` is a transaction for which others wait: it
 * queries the database, and they may hold all other connections. @throws Refusal taskTooMany
 */
export async function findCommandTargets(
  ctx: CallContext,
  db: Pick<Transaction, 'select'>,
  command: Command,
  selection: DeviceSelection,
  condition: SQL,
  waits = false,
): Promise<Aimed> {
  const rows = await db
    .select({
      id: devices.id,
      sn: devices.sn,
      customerId: devices.customerId,
      groupId: devices.groupId,
      reason: hindrance(command, waits),
    })
    .from(devices)
    .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
    .where(and(visible(ctx.actor).devices, condition))
    .orderBy(devices.sn)
    .limit(TASK_MAX_DEVICES + 1)
  const named = new Set(selection.dids)
  if (Math.max(rows.length, named.size) > TASK_MAX_DEVICES)
    refuse(taskRefusals.taskTooMany, { max: TASK_MAX_DEVICES })
  // Invisible ids are treated like missing ones: only their number is returned.
  const unseen = selection.dids ? named.size - rows.length : 0
  const hindered = rows.flatMap(({ sn, reason }) => (reason === null ? [] : [{ sn, reason }]))
  return {
    matching: Math.max(rows.length, named.size),
    eligible: rows.filter(({ reason }) => reason === null),
    leftOut: groupLeftOut(hindered, unseen),
  }
}

/** Number of targets per group. */
export function groupCounts(targets: readonly Target[]): number[] {
  const counts = new Map<number, number>()
  for (const { groupId } of targets) counts.set(groupId, (counts.get(groupId) ?? 0) + 1)
  return [...counts.values()]
}
