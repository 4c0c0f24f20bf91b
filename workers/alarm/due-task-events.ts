/** Decisions about tasks that were not notified yet, for each customer with devices in the task. */
import type { ChannelEvent } from '#schema/alarm/channel-event'
import type { Happened } from '#schema/alarm/event-text'
import type { approvalDenials } from '#schema/task/task-approval'
import type { PauseReason } from '#schema/task/task-guard'
import type { Transaction, WorkerContext } from '../kit/processor.ts'

const AT_ONCE = 500
const events = {
  approvalAsked: 'taskAwaitsApproval',
  started: 'taskStarted',
  paused: 'taskPaused',
  completed: 'taskCompleted',
} as const satisfies Record<string, ChannelEvent>

type Row = {
  customerId: number
  what: keyof typeof events
  id: number
  name: string
  kind: string
  version: string | null
  reason: PauseReason | null
  denied: (typeof approvalDenials)[number] | null
  devices: number
  done: number
  failed: number
  cancelled: number
}

/** Counts are those of the customer's devices: a task of platform staff may be about several customers. */
export async function dueTaskEvents(
  tx: Transaction,
  { env }: Pick<WorkerContext, 'env'>,
): Promise<Happened[]> {
  const rows = await tx<Row[]>`
    with waiting as (
      select id from task_decisions where not notified and what in ('approvalAsked', 'started', 'paused', 'completed')
      order by id limit ${AT_ONCE} for update skip locked),
    announced as (
      update task_decisions d set notified = true from waiting where d.id = waiting.id
      returning d.id, d.task_id, d.what, d.facts->>'reason' as reason)
    select n.customer_id as "customerId", announced.what, t.id, t.name, t.kind, t.version, coalesce(announced.reason,
      case when announced.what = 'paused' then 'person' end) as reason,
      case when announced.what = 'completed' and t.approval in ('refused', 'expired') then t.approval end as denied, n.devices, n.done, n.failed, n.cancelled
    from announced join tasks t on t.id = announced.task_id cross join lateral (
      select i.customer_id, count(*)::int as devices, count(*) filter (where i.outcome = 'done')::int as done,
        count(*) filter (where i.outcome = 'failed')::int as failed, count(*) filter (where i.outcome = 'cancelled')::int as cancelled
      from task_items i where i.task_id = t.id and not i.superseded group by 1) n
    order by announced.id`
  return rows.map(({ customerId, what, devices, ...task }) => ({
    event: events[what],
    customerId,
    task: { ...task, devices, url: `${env.PUBLIC_URL}/task/upgrade/${task.id}` },
    count: devices,
    devices: [],
  }))
}
