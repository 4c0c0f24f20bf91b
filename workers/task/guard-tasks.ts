/** Stops tasks of which too many devices failed. [decisions/048] */

import { guardTrips } from '#schema/task/task-guard'
import type { Transaction, WorkerContext } from '../kit/processor.ts'
import { mailPause } from './pause-mail.ts'
import { pauseTask } from './pause-task.ts'

type Guarded = {
  id: number
  customerId: number | null
  maxFailures: number | null
  maxFailurePercent: number | null
}
type Counted = { taskId: number; failed: number; lasting: number; tried: number; total: number }

/**
 * Devices that were sent the command and failed count, for any reason; devices that were never reached say
 * nothing about the package. `tried` includes those in progress; `total` is the size of the task, of its waves so far.
 */
const count = (tx: Transaction, ids: readonly number[]) => tx<Counted[]>`
  select task_id as "taskId", count(*) filter (where sent and outcome = 'failed')::int as failed,
    count(*) filter (where sent and outcome = 'failed' and not again)::int as lasting,
    count(*) filter (where sent and outcome is distinct from 'cancelled')::int as tried, count(*) filter (where opened)::int as total
  from (select i.task_id, i.outcome, i.offers > 0 and not i.before_resume as sent, i.wave <= t.wave as opened,
    i.retry_at is not null as again
    from task_items i join tasks t on t.id = i.task_id where i.task_id = any(${[...ids]}) and not i.superseded) items
  group by task_id`

/** Budgets are locked in this order, here and for the notices of alarms, so that no two transactions deadlock. */
const byCustomer = (one: Guarded, other: Guarded) =>
  (one.customerId ?? 0) - (other.customerId ?? 0) || one.id - other.id

/**
 * Pauses the tasks (`ids` null: any) that have reached their limit, in the transaction of the failure that
 * reached it, and sends mail to their creators. Returns how many. The task is locked before its failures are
 * counted in a second statement: of two transactions that each add failures, the later one sees them all.
 */
export async function guardTasks(
  tx: Transaction,
  ids: readonly number[] | null,
  ctx: Pick<WorkerContext, 'env' | 'log' | 'now' | 'parameters'>,
): Promise<number> {
  if (ids?.length === 0) return 0
  const guarded = await tx<Guarded[]>`
    select t.id, t.customer_id as "customerId", t.max_failures as "maxFailures", t.max_failure_percent as "maxFailurePercent"
    from tasks t
    where t.status = 'ongoing' and t.paused_at is null and (t.max_failures is not null or t.max_failure_percent is not null)
      and ${ids === null ? tx`true` : tx`t.id = any(${[...ids]})`}
      -- Of those that go well nothing is locked: the sweeper looks at all of them every two seconds.
      and exists (select 1 from task_items i where i.task_id = t.id and i.outcome = 'failed' and not i.superseded
        and not i.before_resume and i.offers > 0)
    order by t.id for no key update of t`
  if (guarded.length === 0) return 0
  const counts = new Map(
    (
      await count(
        tx,
        guarded.map(({ id }) => id),
      )
    ).map((row) => [row.taskId, row]),
  )
  const now = ctx.now()
  let paused = 0
  for (const task of guarded.toSorted(byCustomer)) {
    const counted = counts.get(task.id)
    if (!counted || !guardTrips(task, counted)) continue
    const { failed, tried } = counted
    if (!(await pauseTask(tx, task.id, 'failures', { failed, tried }, now))) continue
    paused++
    ctx.log.warn({ task: task.id, failed, tried }, 'task paused: too many devices failed')
    await mailPause(tx, ctx, task.id, { failed, tried })
  }
  return paused
}
