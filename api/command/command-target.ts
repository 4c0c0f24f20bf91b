/** Which devices a command to many would reach now, which not, and why: for the preview and the sending alike. */

import { and, eq, type SQL, sql } from 'drizzle-orm'
import { gatherDeclared } from '#infra/gather'
import type { DeviceSelection } from '#schema/device/device'
import { type Bulk, type Command, isCommand } from '#schema/kit/command'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { deviceStates, devices } from '#schema/tables/device'
import {
  BATCH_MAX_DEVICES,
  type LeftOut,
  type LeftOutReason,
  leftOutReasons,
} from '#schema/task/command-batch'
import { commandBatchRefusals } from '#schema/task/command-batch-refusals'
import type { Transaction } from '../device/device-farewell.ts'
import { isOnline } from '../device/device-filter.ts'
import type { Found } from '../device/device-selection.ts'
import { holds } from '../kit/actor.ts'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'

const declared = await gatherDeclared(isCommand)
export const commandNamed: ReadonlyMap<string, Command> = new Map(
  declared.map((command) => [command.name, command]),
)
const restarting = declared.filter(({ verify }) => verify === 'return').map(({ name }) => name)

export type BulkCommand = Command & { readonly bulk: Bulk }

/** @throws Refusal invalid, noPermission, notForMany */
export function bulkCommand(ctx: CallContext, name: string): BulkCommand {
  const command = commandNamed.get(name)
  if (!command || command.platformOnly)
    refuse(sessionRefusals.invalid, { field: 'name', reason: name }, 'name')
  if (!holds(ctx.actor, command.permission)) refuse(sessionRefusals.noPermission)
  const { bulk } = command
  return bulk ? { ...command, bulk } : refuse(commandBatchRefusals.notForMany, {}, 'name')
}

export type Target = Found & { customerId: number; groupId: number }
export type Aimed = { matching: number; eligible: readonly Target[]; leftOut: LeftOut[] }

const names = (list: readonly string[]) => sql`any(${`{${list.join(',')}}`}::text[])`

/** What stands in the way; null: nothing. Restarts stand in each other's way, whatever they are called. */
const hindrance = (command: Command): SQL<LeftOutReason | null> => sql<LeftOutReason | null>`case
  when ${devices.features} is not null and not (${devices.features} ? ${command.name}::text) then 'unsupported'
  when not ${isOnline} then 'offline'
  when exists (select 1 from task_items i where i.device_id = ${devices.id} and i.outcome is null and i.step = 'upgrading')
    then 'upgrading'
  when exists (select 1 from commands c where c.device_id = ${devices.id} and c.ended_at is null
    and c.name = ${names([...new Set([command.name, ...(command.verify === 'return' ? restarting : [])])])}) then 'busy'
  end`

const SAMPLE = 5

/**
 * `condition`: the selection's (`selectedDevices`), made before `db` is a transaction that others wait for: it asks the
 * database, and they may hold all other connections.
 * @throws Refusal batchTooMany
 */
export async function aim(
  ctx: CallContext,
  db: Pick<Transaction, 'select'>,
  command: Command,
  selection: DeviceSelection,
  condition: SQL,
): Promise<Aimed> {
  const rows = await db
    .select({
      id: devices.id,
      sn: devices.sn,
      customerId: devices.customerId,
      groupId: devices.groupId,
      reason: hindrance(command),
    })
    .from(devices)
    .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
    .where(and(visible(ctx.actor).devices, condition))
    .orderBy(devices.sn)
    .limit(BATCH_MAX_DEVICES + 1)
  const named = new Set(selection.dids)
  if (Math.max(rows.length, named.size) > BATCH_MAX_DEVICES)
    refuse(commandBatchRefusals.batchTooMany, { max: BATCH_MAX_DEVICES })
  const leftOut = leftOutReasons.map((reason) => {
    const sns = rows.filter((row) => row.reason === reason).map(({ sn }) => sn)
    // What the actor may not see is answered like what does not exist: by its number alone.
    const count = reason === 'notFound' && selection.dids ? named.size - rows.length : sns.length
    return { reason, count, sample: sns.slice(0, SAMPLE) }
  })
  return {
    matching: Math.max(rows.length, named.size),
    eligible: rows.filter(({ reason }) => reason === null),
    leftOut: leftOut.filter(({ count }) => count > 0),
  }
}

/** How many of the targets each group has. */
export function groupCounts(targets: readonly Target[]): number[] {
  const counts = new Map<number, number>()
  for (const { groupId } of targets) counts.set(groupId, (counts.get(groupId) ?? 0) + 1)
  return [...counts.values()]
}
