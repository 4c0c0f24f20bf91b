/** A batch that stopped itself goes on by hand. [decisions/060] */

import { and, eq, isNull, sql } from 'drizzle-orm'
import { driveCommands } from '#schema/command/command'
import { refuse } from '#schema/kit/refusal'
import { commandBatches, commands } from '#schema/tables/command'
import { resumeCommandBatch } from '#schema/task/command-batch'
import { commandBatchRefusals } from '#schema/task/command-batch-refusals'
import { bulkCommand } from '../command/command-target.ts'
import { handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { wake } from '../kit/wake-job.ts'
import { reachBatch } from './batch-row.ts'

export const resumeCommandBatchHandler = handler(resumeCommandBatch, async (ctx, body) => {
  const batch = await reachBatch(ctx, body.batchId)
  bulkCommand(ctx, batch.name)
  const { before, waiting } = await ctx.db.transaction(async (tx) => {
    const mine = and(visible(ctx.actor).commandBatches, eq(commandBatches.id, batch.id))
    const [found] = await tx
      .select({ stoppedAt: commandBatches.stoppedAt, stopReason: commandBatches.stopReason })
      .from(commandBatches)
      .where(mine)
      .for('no key update')
    if (!found?.stoppedAt) refuse(commandBatchRefusals.batchNotStopped)
    const stoodMs = Math.max(0, ctx.now().getTime() - found.stoppedAt.getTime())
    const later = sql`make_interval(secs => ${stoodMs / 1000}::float8)`
    await tx
      .update(commandBatches)
      .set({
        stoppedAt: null,
        stopReason: null,
        resumedAt: ctx.now(),
        resumedBy: ctx.actor.userId,
        expiresAt: sql`${commandBatches.expiresAt} + ${later}`,
      })
      .where(mine)
    const rows = await tx
      .update(commands)
      .set({ deadlineAt: sql`${commands.deadlineAt} + ${later}` })
      .where(and(eq(commands.batchId, batch.id), eq(commands.state, 'queued'), isNull(commands.endedAt)))
      .returning({ id: commands.id })
    return { before: { stopped: found.stopReason }, waiting: rows.length }
  })
  ctx.note({ object: batch.id, before, after: { command: batch.name, waiting } })
  await wake(ctx, driveCommands)
  return { waiting }
})
