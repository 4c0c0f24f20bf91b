/** Approving and refusing a task as its second person. */
import { and, asc, eq, isNull, ne, or, sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { tasks } from '#schema/tables/task'
import { users } from '#schema/tables/user'
import { moveSql } from '#schema/task/moves'
import { dispatchTasks, sweepTasks } from '#schema/task/task'
import { approveTask, getAwaitedApprovals, refuseTask } from '#schema/task/task-approval'
import { taskApprovePermission } from '#schema/task/task-pages'
import { taskRefusals } from '#schema/task/task-refusals'
import { rowOf } from '../kit/about.ts'
import { holds } from '../kit/actor.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { visible } from '../kit/scope.ts'
import { wake } from '../kit/wake-job.ts'
import { noteDecision } from './task-decision.ts'
import { storedTask } from './task-object.ts'
import { assertWhole, giveTimeBack, whole } from './task-pause.ts'

type Task = Pick<
  typeof tasks.$inferSelect,
  'id' | 'approval' | 'approvalAt' | 'approvalBy' | 'approvalNote' | 'approvalUntil' | 'createdBy' | 'status'
>

const mayDecide = ({ actor }: CallContext, task: Task) =>
  task.approval === 'waiting' &&
  task.status === 'ongoing' &&
  task.createdBy !== actor.userId &&
  holds(actor, taskApprovePermission)

/** For the reply of `getTask`. */
export async function approvalOf(ctx: CallContext, task: Task) {
  const [by] =
    task.approvalBy === null
      ? []
      : await ctx.db
          .select({ name: knownName(ctx.actor, users, tasks.approvalBy) })
          .from(tasks)
          .leftJoin(users, eq(users.id, tasks.approvalBy))
          .where(eq(tasks.id, task.id))
  return {
    approvedBy: by?.name ?? null,
    approvalAt: task.approvalAt,
    approvalUntil: task.approval === 'waiting' ? task.approvalUntil : null,
    approvalNote: task.approvalNote,
    canApprove: mayDecide(ctx, task),
  }
}

const AWAITED_SHOWN = 10

export const getAwaitedApprovalsHandler = handler(getAwaitedApprovals, async (ctx) => ({
  list: await ctx.db
    .select({ taskId: tasks.id, name: tasks.name, createdBy: knownName(ctx.actor, users, tasks.createdBy) })
    .from(tasks)
    .leftJoin(users, eq(users.id, tasks.createdBy))
    .where(
      and(
        storedTask.seen(visible(ctx.actor), ctx.actor),
        eq(tasks.status, 'ongoing'),
        eq(tasks.approval, 'waiting'),
        or(isNull(tasks.createdBy), ne(tasks.createdBy, ctx.actor.userId)),
        whole(ctx.actor, tasks.id),
      ),
    )
    .orderBy(asc(tasks.id))
    .limit(AWAITED_SHOWN),
}))

/** The task that waits for the actor's decision. @throws Refusal */
async function awaited(ctx: CallContext) {
  const task = rowOf(ctx, storedTask)
  if (task.approval !== 'waiting' || task.status !== 'ongoing') refuse(taskRefusals.taskAwaitsNothing)
  if (task.createdBy === ctx.actor.userId) refuse(taskRefusals.taskOwnApproval)
  await assertWhole(ctx, task.id)
  return task
}

const stillWaiting = (ctx: CallContext, id: number) =>
  and(
    visible(ctx.actor).tasks,
    eq(tasks.id, id),
    eq(tasks.status, 'ongoing'),
    eq(tasks.approval, 'waiting'),
    // While the workers stand still, nobody ends what has expired.
    sql`${tasks.approvalUntil} > ${ctx.now().toISOString()}::timestamptz`,
  )

export const approveTaskHandler = handler(approveTask, async (ctx) => {
  const task = await awaited(ctx)
  await ctx.db.transaction(async (tx) => {
    await giveTimeBack(tx, ctx, task.id)
    const approved = await tx
      .update(tasks)
      .set({
        approval: 'approved',
        approvalBy: ctx.actor.userId,
        approvalAt: ctx.now(),
        pausedAt: null,
        pauseReason: null,
        // The time until now does not count for waiting items.
        expiresAt: sql`${tasks.expiresAt} + greatest(interval '0', ${ctx.now().toISOString()}::timestamptz - greatest(${tasks.pausedAt}, ${tasks.startAt}))`,
      })
      .where(stillWaiting(ctx, task.id))
      .returning({ id: tasks.id })
    if (approved.length === 0) refuse(taskRefusals.taskAwaitsNothing)
    await noteDecision(tx, ctx, task.id, 'approved')
  })
  ctx.note({ before: { approval: 'waiting' }, after: { approval: 'approved' } })
  await wake(ctx, dispatchTasks)
  return null
})

export const refuseTaskHandler = handler(refuseTask, async (ctx, body) => {
  const task = await awaited(ctx)
  const now = ctx.now().toISOString()
  const dismiss = moveSql('dismiss')
  await ctx.db.transaction(async (tx) => {
    // Items before tasks, as everywhere.
    await tx.execute(
      sql`select 1 from task_items i where i.task_id = ${task.id} and i.outcome is null order by i.id for update`,
    )
    const refused = await tx
      .update(tasks)
      .set({
        approval: 'refused',
        approvalBy: ctx.actor.userId,
        approvalAt: ctx.now(),
        approvalNote: body.note || null,
        // Nothing of it is sent, so no more devices join it, and it can be completed now.
        joinUntil: null,
      })
      .where(stillWaiting(ctx, task.id))
      .returning({ id: tasks.id })
    if (refused.length === 0) refuse(taskRefusals.taskAwaitsNothing)
    await tx.execute(sql`
      with ended as (
        update task_items i set ${sql.raw(dismiss.set)}, failure_detail = 'refused', step_at = ${now}::timestamptz
        where i.task_id = ${task.id} and ${sql.raw(dismiss.where)} returning i.id, i.device_id)
      insert into task_events (item_id, device_id, at, what, detail)
      select id, device_id, ${now}::timestamptz, 'cancelled', 'refused' from ended`)
    await noteDecision(tx, ctx, task.id, 'refused', { note: body.note || null })
  })
  ctx.note({ before: { approval: 'waiting' }, after: { approval: 'refused', note: body.note } })
  // The sweeper completes it.
  await wake(ctx, sweepTasks)
  return null
})
