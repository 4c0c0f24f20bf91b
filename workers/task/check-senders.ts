/**
 * A task continues only while its responsible user, who created or last resumed it, could create it now.
 * [decisions/073]
 */
import { commandOf, kindNamed } from '#infra/task-kinds'
import { isPlatformType, type UserType } from '#schema/people/session'
import { moveSql } from '#schema/task/moves'
import type { Transaction, WorkerContext } from '../kit/processor.ts'
import { completeTasks } from './complete-tasks.ts'
import { pauseTask } from './pause-task.ts'

type Open = {
  id: number
  kind: string
  command: string | null
  customerId: number | null
  /** All null if the user is deleted. */
  userId: number | null
  type: UserType | null
  status: number | null
  userCustomerId: number | null
  functionIds: number[] | null
}

/** Tasks that have something left to send. */
const openTasks = (sql: WorkerContext['sql'], now: Date) => sql<Open[]>`
  select t.id, t.kind, t.command, t.customer_id as "customerId", u.id as "userId", u.type, u.status,
    u.customer_id as "userCustomerId", r.function_ids as "functionIds"
  from tasks t left join users u on u.id = t.responsible_id left join roles r on r.id = u.role_id
  where t.status = 'ongoing' and t.start_at <= ${now} and t.paused_at is null
    and exists (select 1 from task_items i where i.task_id = t.id and i.outcome is null and i.sending = 'none')
  order by t.id`

function mayStill(task: Open): boolean {
  const kind = kindNamed(task.kind)
  const needed = (kind.permission.create ?? commandOf(kind, task.command)?.permission)?.id
  if (task.status !== 1 || task.type === null || needed === undefined) return false
  if (task.userCustomerId !== task.customerId && !isPlatformType(task.type)) return false
  return task.type === 'superAdmin' || (task.functionIds?.includes(needed) ?? false)
}

/** Cancels waiting items of a normal user's task whose devices are no longer in the user's groups. */
async function cancelOutside(tx: Transaction, { id, userId }: Open, now: Date): Promise<void> {
  const dismiss = moveSql('dismiss')
  await tx`
    with recursive tree as (
      select g.id from user_groups ug join users u on u.id = ug.user_id
        join groups g on g.id = ug.group_id and g.customer_id = u.customer_id where ug.user_id = ${userId}
      union select g.id from groups g join tree t on g.parent_id = t.id),
    outside as (
      select i.id from task_items i join devices d on d.id = i.device_id
      where i.task_id = ${id} and i.sending = 'none' and ${tx.unsafe(dismiss.where)} and d.group_id not in (select id from tree)
      order by i.id for update of i),
    ended as (
      update task_items i set ${tx.unsafe(dismiss.set)}, failure_detail = 'outOfReach', step_at = ${now}
      from outside o where o.id = i.id returning i.id, i.device_id)
    insert into task_events (item_id, device_id, at, what, detail) select id, device_id, ${now}, 'cancelled', 'outOfReach' from ended`
  await completeTasks(tx, [id], now)
}

/** Checks all of them before anything is taken to be sent. Returns how many it paused. */
export async function checkSenders(ctx: WorkerContext): Promise<number> {
  const now = ctx.now()
  let stopped = 0
  for (const task of await openTasks(ctx.sql, now)) {
    if (!mayStill(task)) {
      const done = await ctx.sql.begin((tx) => pauseTask(tx, task.id, 'sender', null, now))
      if (!done) continue
      stopped++
      ctx.log.warn({ task: task.id }, 'task paused: its responsible user may no longer create it')
    } else if (task.type === 'normal') await ctx.sql.begin((tx) => cancelOutside(tx, task, now))
  }
  return stopped
}
