/** One command to many devices: preview, sending, stopping. Following is in command-batch-watch. */

import { randomUUID } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { driveCommands } from '#schema/command/command'
import { refuse } from '#schema/kit/refusal'
import { commandBatches, commands } from '#schema/tables/command'
import { devices } from '#schema/tables/device'
import {
  batchWaitS,
  cancelCommandBatch,
  groupLimit,
  previewCommandBatch,
  sendCommandBatch,
} from '#schema/task/command-batch'
import { commandBatchRefusals } from '#schema/task/command-batch-refusals'
import { parseArgs } from '../command/command-args.ts'
import { type Aimed, aim, type BulkCommand, bulkCommand, groupCounts } from '../command/command-target.ts'
import { lockAllOrders } from '../command/order-command.ts'
import type { Transaction } from '../device/device-farewell.ts'
import { amongIds } from '../device/device-filter.ts'
import { idsOf, selectedDevices } from '../device/device-selection.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { wake } from '../kit/wake-job.ts'
import { reachBatch } from './batch-row.ts'

/** Of all groups together, those that may be away at the same time. */
function awayAtOnce({ bulk }: BulkCommand, counts: readonly number[]): number {
  const limits = counts.map((count) => Math.min(count, groupLimit(bulk, count)))
  return Math.min(
    bulk.atOnce,
    limits.reduce((sum, limit) => sum + limit, 0),
  )
}

export const previewCommandBatchHandler = handler(previewCommandBatch, async (ctx, body) => {
  const command = bulkCommand(ctx, body.name)
  const { matching, eligible, leftOut } = await aim(
    ctx,
    ctx.db,
    command,
    body,
    await selectedDevices(ctx, body),
  )
  const counts = groupCounts(eligible)
  return {
    matching,
    eligible: eligible.length,
    leftOut,
    atOnce: awayAtOnce(command, counts),
    waitS: batchWaitS(command.bulk, command.deadlineS, counts),
  }
})

type Wanted = { requestId: string; name: string; args: Record<string, unknown> }

async function write(tx: Transaction, ctx: CallContext, command: BulkCommand, wanted: Wanted, aimed: Aimed) {
  const batchId = randomUUID()
  const waitS = batchWaitS(command.bulk, command.deadlineS, groupCounts(aimed.eligible))
  const expiresAt = new Date(ctx.now().getTime() + waitS * 1000 * ctx.env.TASK_DEADLINE_SCALE)
  await tx.insert(commandBatches).values({
    ...wanted,
    id: batchId,
    customerId: ctx.actor.customerId,
    createdBy: ctx.actor.userId,
    createdAt: ctx.now(),
    expiresAt,
    matching: aimed.matching,
    leftOut: aimed.leftOut,
  })
  await tx.execute(sql`
    insert into commands (id, device_id, customer_id, name, args, created_by, created_at, deadline_at, batch_id)
    select gen_random_uuid(), id, customer_id, ${wanted.name}, ${JSON.stringify(wanted.args)}::jsonb, ${ctx.actor.userId},
      ${ctx.now().toISOString()}::timestamptz, ${expiresAt.toISOString()}::timestamptz, ${batchId}::uuid
    from devices where ${amongIds(devices.id, idsOf(aimed.eligible))}`)
  return batchId
}

/** What the same request has made before. */
async function madeBefore(tx: Transaction, ctx: CallContext, requestId: string) {
  const [found] = await tx
    .select({ batchId: commandBatches.id, leftOut: commandBatches.leftOut })
    .from(commandBatches)
    .where(and(eq(commandBatches.createdBy, ctx.actor.userId), eq(commandBatches.requestId, requestId)))
  if (!found) return null
  const devicesOf = await tx.$count(commands, eq(commands.batchId, found.batchId))
  return { ...found, devices: devicesOf }
}

export const sendCommandBatchHandler = handler(sendCommandBatch, async (ctx, body) => {
  const command = bulkCommand(ctx, body.name)
  const args = parseArgs(command, body.args, ctx.language)
  const condition = await selectedDevices(ctx, body)
  const { answer, note } = await ctx.db.transaction(async (tx) => {
    await lockAllOrders(tx)
    const before = await madeBefore(tx, ctx, body.requestId)
    if (before) return { answer: before, note: null }
    const aimed = await aim(ctx, tx, command, body, condition)
    const { matching, eligible, leftOut } = aimed
    if (body.atMost !== undefined && matching > body.atMost)
      refuse(commandBatchRefusals.batchGrew, { count: matching }, 'atMost')
    const [reason, ...others] = leftOut.map((left) => left.reason)
    if (eligible.length === 0)
      refuse(
        reason === 'offline' && others.length === 0
          ? commandBatchRefusals.selectedOffline
          : commandBatchRefusals.noneEligible,
      )
    const batchId = await write(
      tx,
      ctx,
      command,
      { requestId: body.requestId, name: command.name, args },
      aimed,
    )
    const owners = new Set(eligible.map(({ customerId }) => customerId))
    return {
      answer: { batchId, devices: eligible.length, leftOut },
      note: { eligible, customerId: owners.size === 1 ? [...owners][0] : undefined },
    }
  })
  const sns = note?.eligible.slice(0, 20).map(({ sn }) => sn) ?? []
  const more = (note?.eligible.length ?? 0) - sns.length
  ctx.note({
    object: note ? `${sns.join(', ')}${more > 0 ? ` +${more}` : ''}` : answer.batchId,
    after: {
      command: command.name,
      batchId: answer.batchId,
      devices: answer.devices,
      ...Object.fromEntries(answer.leftOut.map(({ reason, count }) => [reason, count])),
      ...(note ? {} : { repeated: true }),
    },
    ...(note?.customerId === undefined ? {} : { customerId: note.customerId }),
  })
  await wake(ctx, driveCommands)
  return answer
})

export const cancelCommandBatchHandler = handler(cancelCommandBatch, async (ctx, body) => {
  const batch = await reachBatch(ctx, body.batchId)
  bulkCommand(ctx, batch.name)
  const now = ctx.now()
  const answer = await ctx.db.transaction(async (tx) => {
    // The batch before its commands, as the workers and a resumption do: the other way round they wait for each other.
    await tx
      .select({ id: commandBatches.id })
      .from(commandBatches)
      .where(eq(commandBatches.id, batch.id))
      .for('no key update')
    // What the workers take at this moment is decided row by row: sent, or cancelled.
    const cancelled = await tx
      .update(commands)
      .set({ state: 'cancelled', endedAt: now })
      .where(and(eq(commands.batchId, batch.id), eq(commands.state, 'queued'), isNull(commands.endedAt)))
      .returning({ id: commands.id })
    if (cancelled.length > 0)
      await tx
        .update(commandBatches)
        .set({ cancelledAt: now })
        .where(and(visible(ctx.actor).commandBatches, eq(commandBatches.id, batch.id)))
    const underWay = await tx.$count(commands, and(eq(commands.batchId, batch.id), isNull(commands.endedAt)))
    return { cancelled: cancelled.length, underWay }
  })
  ctx.note({ object: batch.id, after: { command: batch.name, ...answer } })
  return answer
})
