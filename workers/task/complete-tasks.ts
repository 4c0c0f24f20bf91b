import type { Transaction } from '../kit/processor.ts'
import { decide } from './decide.ts'

/** While it follows a filter, more devices may join it. */
const mayEnd = (tx: Transaction, now: Date) => tx`(t.join_until is null or t.join_until <= ${now})`

/** Completes the ongoing tasks all of whose items have ended; `ids` null: any of them. */
export async function completeTasks(
  tx: Transaction,
  ids: readonly number[] | null,
  now: Date,
): Promise<void> {
  if (ids?.length === 0) return
  // Locked first and checked in a second statement, which then sees items that a retry adds in between.
  const candidates = await tx<{ id: number }[]>`
    select t.id from tasks t
    where t.status = 'ongoing' and ${mayEnd(tx, now)} and ${ids === null ? tx`true` : tx`t.id = any(${[...ids]})`}
      and not exists (select 1 from task_items i where i.task_id = t.id and not i.superseded and (i.outcome is null or i.retry_at is not null))
    order by t.id for no key update`
  if (candidates.length === 0) return
  const ended = await tx<{ id: number; done: number; failed: number; cancelled: number }[]>`
    update tasks t set status = 'completed', completed_at = ${now}, paused_at = null, pause_reason = null, paused_by = null
    where t.id = any(${candidates.map(({ id }) => id)}) and t.status = 'ongoing' and ${mayEnd(tx, now)}
      and not exists (select 1 from task_items i where i.task_id = t.id and not i.superseded and (i.outcome is null or i.retry_at is not null))
    returning t.id, (select count(*) from task_items i where i.task_id = t.id and not i.superseded and i.outcome = 'done')::int as done,
      (select count(*) from task_items i where i.task_id = t.id and not i.superseded and i.outcome = 'failed')::int as failed,
      (select count(*) from task_items i where i.task_id = t.id and not i.superseded and i.outcome = 'cancelled')::int as cancelled`
  // No wave follows the last one that began, which would say how it ended. Judged by the devices that were sent something.
  await tx`
    update task_waves w set ended_at = ${now}, state = case when n.done > 0 and n.done * 100 >= t.wave_success_percent * n.tried then 'reached' else 'short' end
    from tasks t cross join lateral (
      select count(*) filter (where i.outcome = 'done') as done,
        count(*) filter (where i.outcome = 'done' or (i.outcome = 'failed' and i.offers > 0)) as tried
      from task_items i where i.task_id = t.id and i.wave = t.wave and not i.superseded) n
    where t.id = any(${ended.map(({ id }) => id)}) and w.task_id = t.id and w.nth = t.wave and w.state <> 'waiting'`
  await decide(
    tx,
    ended.map(({ id, ...facts }) => ({ taskId: id, what: 'completed' as const, facts })),
    now,
  )
}
