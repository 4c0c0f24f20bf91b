/** Queues a command for a device: the checks common to all commands, and the row that the workers send. */

import { randomUUID } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { driveCommands } from '#schema/command/command'
import { deviceRefusals } from '#schema/device/device-refusals'
import type { Command } from '#schema/kit/command'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { commands } from '#schema/tables/command'
import { devices } from '#schema/tables/device'
import { storedDevice } from '../device/device-object.ts'
import { rowOf } from '../kit/about.ts'
import { holds } from '../kit/actor.ts'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { wake } from '../kit/wake-job.ts'

const LOCK = 7320

/** The lock's key; no device has this id. Commands to many devices take the lock exclusively, those to one share it. */
const ALL = 0

/** A longer wait would hold a connection that others need: the caller gets "try again shortly". */
const boundWait = (tx: Pick<Tx, 'execute'>) => tx.execute(sql`set local lock_timeout = '5s'`)

/**
 * Until the transaction ends no other command is queued, so the set of busy devices is known. @throws 55P03 after 5 s
 */
export async function lockAllOrders(tx: Pick<Tx, 'execute'>): Promise<void> {
  await boundWait(tx)
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK}, ${ALL})`)
}

type Tx = Parameters<Parameters<CallContext['db']['transaction']>[0]>[0]
export type Ordered = {
  commandId: string
  device: {
    id: number
    sn: string
    customerId: number
    configHash: string | null
    firmware: string | null
  }
}

/**
 * To the device that the call is about. `args` are parsed by the caller; `also` writes in the same transaction.
 * @throws Refusal noPermission, deviceUnsupported, deviceOffline, commandBusy
 */
export async function orderDevice(
  ctx: CallContext,
  command: Command,
  args: Record<string, unknown>,
  also: (tx: Tx, ordered: Ordered) => Promise<unknown> = async () => undefined,
): Promise<Ordered> {
  if (!holds(ctx.actor, command.permission)) refuse(sessionRefusals.noPermission)
  const found = rowOf(ctx, storedDevice)
  if (found.features && !found.features.includes(command.name)) refuse(deviceRefusals.deviceUnsupported)
  if (!found.online) refuse(deviceRefusals.deviceOffline)
  const ordered = { commandId: randomUUID(), device: found }
  const waitS = await ctx.parameters.get('commandWaitS', found.customerId)
  await ctx.db.transaction(async (tx) => {
    await boundWait(tx)
    // Of many equal requests one succeeds [threats 29].
    await tx.execute(sql`select pg_advisory_xact_lock_shared(${LOCK}, ${ALL})`)
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK}, ${found.id})`)
    // It may have been deleted, given to another customer, or moved out of the actor's sight, since the call began.
    const [still] = await tx
      .select({ id: devices.id })
      .from(devices)
      .where(
        and(
          visible(ctx.actor).devices,
          eq(devices.id, found.id),
          eq(devices.customerId, found.customerId),
          isNull(devices.deletedAt),
        ),
      )
      .for('key share')
    if (!still) refuse(sessionRefusals.noPermission)
    const open = and(
      eq(commands.deviceId, found.id),
      eq(commands.name, command.name),
      isNull(commands.endedAt),
    )
    const [busy] = await tx.select({ id: commands.id }).from(commands).where(open).limit(1)
    const [sent] = await tx.execute(sql`
      select 1 from task_items i join tasks t on t.id = i.task_id
      where i.device_id = ${found.id} and i.outcome is null and t.command = ${command.name} limit 1`)
    if (busy || sent) refuse(deviceRefusals.commandBusy)
    await tx.insert(commands).values({
      id: ordered.commandId,
      deviceId: found.id,
      customerId: found.customerId,
      name: command.name,
      args,
      createdBy: ctx.actor.userId,
      createdAt: ctx.now(),
      // An online device takes a command immediately; one that has just disconnected may come back within this time.
      deadlineAt: new Date(ctx.now().getTime() + waitS * 1000 * ctx.env.TASK_DEADLINE_SCALE),
    })
    await also(tx, ordered)
  })
  await wake(ctx, driveCommands)
  return ordered
}
