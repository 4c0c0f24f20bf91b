/** Batches of commands as rows, with how many of their devices stand where. */

import { and, count, eq, inArray, type SQL } from 'drizzle-orm'
import { commandStates } from '#schema/command/command'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { commandBatches, commands } from '#schema/tables/command'
import { devices } from '#schema/tables/device'
import { users } from '#schema/tables/user'
import type { BatchCounts, BatchStop } from '#schema/task/command-batch'
import type { CallContext } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { visible } from '../kit/scope.ts'

/** @throws Refusal 5 unless the actor may see the batch. */
export async function reachBatch({ db, actor }: CallContext, batchId: string) {
  const [found] = await db
    .select({ id: commandBatches.id, name: commandBatches.name })
    .from(commandBatches)
    .where(and(visible(actor).commandBatches, eq(commandBatches.id, batchId)))
  return found ?? refuse(sessionRefusals.noPermission, {}, 'batchId')
}

/** As `selectBatches` gives it. */
export function withStop<
  R extends {
    stoppedAt: Date | null
    stopReason: BatchStop | null
    failed: number | null
    tried: number | null
  },
>({ stoppedAt, stopReason, failed, tried, ...row }: R) {
  return {
    ...row,
    stopped: stoppedAt && stopReason ? { at: stoppedAt, reason: stopReason, failed, tried } : null,
  }
}

export const selectBatches = (ctx: CallContext, where: SQL | undefined) =>
  ctx.db
    .select({
      batchId: commandBatches.id,
      name: commandBatches.name,
      createdAt: commandBatches.createdAt,
      createdBy: knownName(ctx.actor),
      expiresAt: commandBatches.expiresAt,
      cancelledAt: commandBatches.cancelledAt,
      stoppedAt: commandBatches.stoppedAt,
      stopReason: commandBatches.stopReason,
      failed: commandBatches.stoppedFailed,
      tried: commandBatches.stoppedTried,
      matching: commandBatches.matching,
      leftOut: commandBatches.leftOut,
    })
    .from(commandBatches)
    .leftJoin(users, eq(users.id, commandBatches.createdBy))
    .where(where)

/** How many of each batch's devices, of those that the actor sees, stand where. */
export async function countCommands(
  ctx: CallContext,
  batchIds: readonly string[],
): Promise<(batchId: string) => BatchCounts> {
  const rows = batchIds.length
    ? await ctx.db
        .select({ batchId: commands.batchId, state: commands.state, count: count() })
        .from(commands)
        .innerJoin(devices, eq(devices.id, commands.deviceId))
        .where(and(visible(ctx.actor).commands, inArray(commands.batchId, [...batchIds])))
        .groupBy(commands.batchId, commands.state)
    : []
  return (batchId) => {
    const own = rows.filter((row) => row.batchId === batchId)
    const counts = Object.fromEntries(commandStates.map((state) => [state, 0])) as BatchCounts
    for (const row of own) counts[row.state] = row.count
    counts.total = own.reduce((sum, row) => sum + row.count, 0)
    return counts
  }
}
