/** Consequences for tasks of which items have ended. */

import type { Transaction, WorkerContext } from '../kit/processor.ts'
import { completeTasks } from './complete-tasks.ts'
import { guardTasks } from './guard-tasks.ts'
import { planRetries } from './retry-failed.ts'

/**
 * Pauses or completes the tasks, in the transaction that ended their items; returns how many were paused.
 * `failed`: those of `ended` of which an item failed. All are locked first, in one order: locking the failed
 * ones first and others later, to complete them, could deadlock with the same work on other tasks.
 */
export async function settleTasks(
  tx: Transaction,
  { ended, failed }: { ended: readonly number[]; failed: readonly number[] },
  ctx: Pick<WorkerContext, 'env' | 'log' | 'now' | 'parameters'>,
): Promise<number> {
  if (failed.length > 0 && ended.length > 1)
    await tx`select 1 from tasks where id = any(${[...ended]}) and status = 'ongoing' order by id for no key update`
  await planRetries(tx, failed, ctx)
  const paused = await guardTasks(tx, failed, ctx)
  await completeTasks(tx, ended, ctx.now())
  return paused
}
