import { moveSql } from '#schema/task/moves'
import type { WorkerContext } from '../kit/processor.ts'
import { completeTasks } from './complete-tasks.ts'
import { decide } from './decide.ts'

/** Ends tasks that were not approved in time; nothing of them was sent. Returns how many. */
export async function expireApprovals(ctx: WorkerContext): Promise<number> {
  const now = ctx.now()
  const due = await ctx.sql<{ id: number }[]>`
    select id from tasks where status = 'ongoing' and approval = 'waiting' and approval_until < ${now} order by id`
  if (due.length === 0) return 0
  const dismiss = moveSql('dismiss')
  return ctx.sql.begin(async (tx) => {
    const ids = due.map(({ id }) => id)
    // Items before tasks, as everywhere.
    await tx`select 1 from task_items i where i.task_id = any(${ids}) and i.outcome is null order by i.id for update`
    const expired = (
      await tx<{ id: number }[]>`
        -- No more devices join it, so it can be completed now.
        update tasks set approval = 'expired', approval_at = ${now}, join_until = null
        where id = any(${ids}) and status = 'ongoing' and approval = 'waiting' returning id`
    ).map(({ id }) => id)
    await tx`
      with ended as (
        update task_items i set ${tx.unsafe(dismiss.set)}, failure_detail = 'approvalExpired', step_at = ${now}
        where i.task_id = any(${expired}) and ${tx.unsafe(dismiss.where)} returning i.id, i.device_id)
      insert into task_events (item_id, device_id, at, what, detail)
      select id, device_id, ${now}, 'cancelled', 'approvalExpired' from ended`
    await decide(
      tx,
      expired.map((taskId) => ({ taskId, what: 'approvalExpired' as const })),
      now,
    )
    await completeTasks(tx, expired, now)
    return expired.length
  })
}
