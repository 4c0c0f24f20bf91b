/** Pausing and resuming tasks manually. */

import { and, eq, isNotNull, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { unlocked } from '#infra/task-kinds'
import { refuse } from '#schema/kit/refusal'
import { taskItems, tasks } from '#schema/tables/task'
import { dispatchTasks, sweepTasks } from '#schema/task/task'
import { pauseTask, resumeTask } from '#schema/task/task-calls'
import { STOPPED_WAIT_S } from '#schema/task/task-guard'
import { taskRefusals } from '#schema/task/task-refusals'
import type { Transaction } from '../device/end-device-work.ts'
import type { Actor } from '../kit/actor.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { wake } from '../kit/wake-job.ts'
import { noteDecision } from './task-decision.ts'
import { steerTask } from './task-row.ts'
import { reopenWave } from './wave-state.ts'

/** SQL: the actor sees all devices of the task. */
export const whole = (actor: Actor, taskId: SQLWrapper | number): SQL =>
  actor.groupIds === null
    ? sql`true`
    : sql`not exists (select 1 from ${taskItems} join devices on devices.id = ${taskItems.deviceId}
        where ${taskItems.taskId} = ${taskId} and not ${taskItems.superseded} and not (${visible(actor).taskItems}))`

/** Whether the actor sees all devices of the task. */
export async function isWhole(ctx: CallContext, taskId: number): Promise<boolean> {
  const [row] = await ctx.db.execute<{ sees: boolean }>(sql`select ${whole(ctx.actor, taskId)} as sees`)
  return row?.sees === true
}

/** @throws Refusal if some devices of the task are not visible to the actor */
export async function assertWhole(ctx: CallContext, taskId: number): Promise<void> {
  if (!(await isWhole(ctx, taskId))) refuse(taskRefusals.taskOfOthersToo)
}

/**
 * Before a pause ends. Items that ended so far are known to a user now and no longer count; all others get the time
 * back, and devices that were called back and have not responded get their full deadline. Returns how many wait.
 */
export async function giveTimeBack(tx: Transaction, ctx: CallContext, taskId: number): Promise<number> {
  const at = sql`${ctx.now().toISOString()}::timestamptz`
  const scale = sql`${ctx.env.TASK_DEADLINE_SCALE}::float8`
  // Items before tasks, as everywhere.
  const [counted] = await tx.execute<{ waiting: number }>(sql`
    with mine as (
      select i.id from task_items i where i.task_id = ${taskId} and not i.superseded order by i.id for update),
    moved as (
      update task_items i set before_resume = i.before_resume or i.outcome is not null,
        deadline_at = case when i.outcome is not null or not ${sql.raw(unlocked)} then i.deadline_at
          else greatest(i.deadline_at + greatest(interval '0', ${at} - greatest(t.paused_at, t.start_at)),
            case when i.sending <> 'withdrawing' then i.deadline_at
              else ${at} + make_interval(secs => greatest(t.wait_offline_minutes * 60, 60) * ${scale}) end) end
      from mine, tasks t where mine.id = i.id and t.id = i.task_id and t.paused_at is not null
      returning i.outcome, ${sql.raw(unlocked)} as open)
    select count(*) filter (where outcome is null and open)::int as waiting from moved`)
  return counted?.waiting ?? 0
}

/** A task is paused as a whole. @throws Refusal if some of its devices are not visible to the actor */
export async function reachWhole(ctx: CallContext) {
  const task = steerTask(ctx)
  if (task.status === 'completed') refuse(taskRefusals.taskCompleted)
  await assertWhole(ctx, task.id)
  return task
}

/**
 * Pauses it on behalf of the actor; returns false if it is not running. The sweeper, which the caller wakes, calls back
 * devices that have not begun.
 */
export async function pauseRunning(tx: Transaction, ctx: CallContext, taskId: number): Promise<boolean> {
  const found = await tx
    .update(tasks)
    .set({
      pausedAt: ctx.now(),
      pauseReason: 'person',
      pausedBy: ctx.actor.userId,
      pausedFailed: null,
      pausedTried: null,
      // Items that would expire meanwhile get enough time for a user to notice.
      expiresAt: sql`case when ${tasks.expiresAt} is not null then greatest(${tasks.expiresAt}, ${ctx.now().toISOString()}::timestamptz + make_interval(secs => ${STOPPED_WAIT_S})) end`,
    })
    .where(
      and(
        visible(ctx.actor).tasks,
        eq(tasks.id, taskId),
        eq(tasks.status, 'ongoing'),
        isNull(tasks.pausedAt),
      ),
    )
    .returning({ id: tasks.id })
  if (found.length === 0) return false
  await noteDecision(tx, ctx, taskId, 'paused', { reason: 'person' })
  return true
}

export const pauseTaskHandler = handler(pauseTask, async (ctx) => {
  const task = await reachWhole(ctx)
  const paused = await ctx.db.transaction((tx) => pauseRunning(tx, ctx, task.id))
  if (!paused)
    refuse(task.pauseReason === 'approval' ? taskRefusals.taskAwaitsApproval : taskRefusals.taskPaused)
  ctx.note({
    before: { paused: false },
    after: { paused: true },
  })
  await wake(ctx, sweepTasks)
  return null
})

export const resumeTaskHandler = handler(resumeTask, async (ctx) => {
  const task = await reachWhole(ctx)
  if (task.pauseReason === 'approval') refuse(taskRefusals.taskAwaitsApproval)
  const at = sql`${ctx.now().toISOString()}::timestamptz`
  const waiting = await ctx.db.transaction(async (tx) => {
    const waiting = await giveTimeBack(tx, ctx, task.id)
    const resumed = await tx
      .update(tasks)
      .set({
        pausedAt: null,
        pauseReason: null,
        pausedBy: null,
        pausedFailed: null,
        pausedTried: null,
        responsibleId: ctx.actor.userId,
        // Waiting items get the paused time back; before the start none of it was theirs.
        expiresAt: sql`${tasks.expiresAt} + greatest(interval '0', ${at} - greatest(${tasks.pausedAt}, ${tasks.startAt}))`,
      })
      .where(
        and(
          visible(ctx.actor).tasks,
          eq(tasks.id, task.id),
          eq(tasks.status, 'ongoing'),
          isNotNull(tasks.pausedAt),
        ),
      )
      .returning({ id: tasks.id })
    if (resumed.length === 0) refuse(taskRefusals.taskNotPaused)
    await reopenWave(tx, task.id)
    await noteDecision(tx, ctx, task.id, 'resumed', { waiting })
    return waiting
  })
  ctx.note({
    before: { paused: true, reason: task.pauseReason, failed: task.pausedFailed },
    after: { paused: false, reason: null, failed: null },
  })
  await wake(ctx, dispatchTasks)
  return { waiting }
})
