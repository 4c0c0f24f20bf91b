/** The waves of a task with the devices that the actor sees, and beginning the next one early. */
import { asc, eq, sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { taskItems, tasks, taskWaves } from '#schema/tables/task'
import { dispatchTasks } from '#schema/task/task'
import { skipWave } from '#schema/task/task-calls'
import { taskRefusals } from '#schema/task/task-refusals'
import { type CallContext, handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { wake } from '../kit/wake-job.ts'
import { noteDecision } from './task-decision.ts'
import { reachWhole } from './task-pause.ts'

type Counts = Record<'total' | 'waiting' | 'active' | 'soaking' | 'done' | 'failed' | 'cancelled', number>
const nothing: Counts = { total: 0, waiting: 0, active: 0, soaking: 0, done: 0, failed: 0, cancelled: 0 }

export async function wavesOf(ctx: CallContext, taskId: number) {
  const waves = await ctx.db
    .select({
      nth: taskWaves.nth,
      by: taskWaves.by,
      value: taskWaves.value,
      groupName: taskWaves.groupName,
      state: taskWaves.state,
      startedAt: taskWaves.startedAt,
      endedAt: taskWaves.endedAt,
    })
    .from(taskWaves)
    .where(eq(taskWaves.taskId, taskId))
    .orderBy(asc(taskWaves.nth))
  if (waves.length === 0) return []
  const counted = await ctx.db.execute<Counts & { wave: number }>(sql`
    select ${taskItems.wave} as wave, count(*)::int as total,
      count(*) filter (where ${taskItems.outcome} is null and ${taskItems.sending} = 'none')::int as waiting,
      count(*) filter (where ${taskItems.outcome} is null and ${taskItems.sending} not in ('none', 'soaking'))::int as active,
      count(*) filter (where ${taskItems.outcome} is null and ${taskItems.sending} = 'soaking')::int as soaking,
      count(*) filter (where ${taskItems.outcome} = 'done')::int as done,
      count(*) filter (where ${taskItems.outcome} = 'failed')::int as failed,
      count(*) filter (where ${taskItems.outcome} = 'cancelled')::int as cancelled
    from ${taskItems} join devices on devices.id = ${taskItems.deviceId}
    where ${visible(ctx.actor).taskItems} and ${taskItems.taskId} = ${taskId} and not ${taskItems.superseded} group by 1`)
  const of = new Map([...counted].map(({ wave, ...counts }) => [wave, counts]))
  return waves.map((wave) => ({ ...wave, ...(of.get(wave.nth) ?? nothing) }))
}

export const skipWaveHandler = handler(skipWave, async (ctx, { wave }) => {
  const task = await reachWhole(ctx)
  if (task.pauseReason === 'approval') refuse(taskRefusals.taskAwaitsApproval)
  const next = task.wave + 1
  // It began while the user was asked: by itself, or another user was faster.
  if (wave !== undefined && wave !== next) refuse(taskRefusals.taskOtherWave, { n: wave + 1 })
  if (task.startedAt === null || task.wave >= task.lastWave) refuse(taskRefusals.taskNoNextWave)
  const now = ctx.now().toISOString()
  const paused = await ctx.db.transaction(async (tx) => {
    // Items before tasks, as everywhere. The time to wait for offline devices of a wave begins with it.
    await tx.execute(sql`
      update task_items i set deadline_at = greatest(i.deadline_at, ${now}::timestamptz
        + make_interval(secs => t.wait_offline_minutes * 60 * ${ctx.env.TASK_DEADLINE_SCALE}::float8))
      from tasks t where t.id = i.task_id and i.task_id = ${task.id} and i.wave = ${next} and i.outcome is null`)
    const [moved] = await tx.execute<{ paused: boolean }>(sql`
      update ${tasks} set wave = ${next} where id = ${task.id} and wave = ${task.wave} and status = 'ongoing'
      returning paused_at is not null as paused`)
    if (!moved) refuse(taskRefusals.taskOtherWave, { n: next + 1 })
    await tx.execute(sql`
      update task_waves set state = case when nth = ${next} then 'running' else 'skipped' end,
        started_at = case when nth = ${next} then ${now}::timestamptz else started_at end,
        ended_at = case when nth = ${next} then ended_at else ${now}::timestamptz end
      where task_id = ${task.id} and nth in (${task.wave}, ${next})`)
    await noteDecision(tx, ctx, task.id, 'waveSkipped', { wave: next })
    await noteDecision(tx, ctx, task.id, 'waveStarted', { wave: next + 1 })
    return moved.paused
  })
  ctx.note({ before: { wave: task.wave + 1 }, after: { wave: next + 1 } })
  await wake(ctx, dispatchTasks)
  return { wave: next, paused }
})
