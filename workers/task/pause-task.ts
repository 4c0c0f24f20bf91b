import type { PauseReason } from '#schema/task/task-guard'
import { STOPPED_WAIT_S } from '#schema/task/task-guard'
import type { Transaction } from '../kit/processor.ts'
import { decide } from './decide.ts'

/**
 * Pauses a task automatically. If all its items have ended there is nothing to pause: it is completed a
 * moment later. Items that would expire meanwhile get enough time for a user to notice. Returns whether it
 * was paused.
 */
export async function pauseTask(
  tx: Transaction,
  taskId: number,
  reason: PauseReason,
  counted: { failed: number; tried: number } | null,
  now: Date,
): Promise<boolean> {
  const stopped = await tx`
    update tasks set paused_at = ${now}, pause_reason = ${reason}, paused_by = null, paused_failed = ${counted?.failed ?? null},
      paused_tried = ${counted?.tried ?? null}, expires_at = case when expires_at is not null
        then greatest(expires_at, ${new Date(now.getTime() + STOPPED_WAIT_S * 1000)}) end
    where id = ${taskId} and status = 'ongoing' and paused_at is null
      and exists (select 1 from task_items i where i.task_id = tasks.id and not i.superseded and (i.outcome is null or i.retry_at is not null))
    returning id`
  if (stopped.length === 0) return false
  await decide(tx, [{ taskId, what: 'paused', facts: { reason, ...counted } }], now)
  return true
}
