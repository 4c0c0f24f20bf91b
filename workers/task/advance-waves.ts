/** Begins the next wave of tasks, or pauses them because a wave fell short. [decisions/094] */
import { reachesShare } from '#schema/task/task-guard'
import { type WaveCounts, waveVerdict } from '#schema/task/task-wave'
import type { Transaction, WorkerContext } from '../kit/processor.ts'
import { decide } from './decide.ts'
import { mailPause } from './pause-mail.ts'
import { pauseTask } from './pause-task.ts'

type Running = WaveCounts & {
  id: number
  wave: number
  percent: number
  maxFailurePercent: number | null
  /** Of `seen`, those that failed after they were sent something. */
  passedOver: number
}

/**
 * Failures that a user saw when they resumed the task no longer count; those that will be retried count as open.
 */
const runningWaves = (sql: WorkerContext['sql'], now: Date) => sql<Running[]>`
  with items as (
    select t.id, t.wave, t.wave_success_percent as percent, t.max_failure_percent as limit_percent, i.outcome, i.offers > 0 as sent, i.before_resume as seen,
      i.retry_at is not null as again, coalesce(s.online, false) as online
    from tasks t join task_items i on i.task_id = t.id and i.wave = t.wave and not i.superseded
      left join device_states s on s.device_id = i.device_id
    where t.status = 'ongoing' and t.paused_at is null and t.start_at <= ${now} and t.wave < t.last_wave)
  select id, wave, percent, limit_percent as "maxFailurePercent", count(*) filter (where outcome = 'done')::int as done,
    count(*) filter (where outcome = 'failed' and sent and not seen and not again)::int as failed,
    count(*) filter (where (outcome is null and (sent or online)) or again)::int as open,
    count(*) filter (where not sent and (outcome = 'failed' or (outcome is null and not online)))::int as unreached,
    count(*) filter (where not sent and outcome is null and not online)::int as coming,
    count(*) filter (where seen and outcome in ('failed', 'cancelled'))::int as seen,
    count(*) filter (where seen and outcome = 'failed' and sent and not again)::int as "passedOver"
  from items group by id, wave, percent, limit_percent order by id`

/** The time to wait for offline devices of a wave begins with it. */
export async function openWave(
  tx: Transaction,
  ctx: WorkerContext,
  taskId: number,
  nth: number,
): Promise<void> {
  const now = ctx.now()
  await tx`update task_waves set state = 'running', started_at = ${now} where task_id = ${taskId} and nth = ${nth}`
  await tx`
    update task_items i set deadline_at = greatest(i.deadline_at,
      ${now}::timestamptz + make_interval(secs => t.wait_offline_minutes * 60 * ${ctx.env.TASK_DEADLINE_SCALE}::float8))
    from tasks t where t.id = i.task_id and i.task_id = ${taskId} and i.wave = ${nth} and i.outcome is null`
}

/** A wave that is passed because a user resumed the task has not succeeded by that: its failures are told. */
async function advance(ctx: WorkerContext, { id, wave, percent, ...counts }: Running): Promise<boolean> {
  const now = ctx.now()
  const { done, open, unreached, passedOver } = counts
  const failed = counts.failed + passedOver
  const isReached = done > 0 && reachesShare(percent, done, done + failed + open)
  return ctx.sql.begin(async (tx) => {
    // Items before tasks, as everywhere.
    await tx`select 1 from task_items i where i.task_id = ${id} and i.wave = ${wave + 1} order by i.id for update`
    const moved = await tx`
      update tasks set wave = ${wave + 1} where id = ${id} and wave = ${wave} and status = 'ongoing' and paused_at is null
      returning id`
    if (moved.length === 0) return false
    const [was] = await tx<{ state: string }[]>`
      select state from task_waves where task_id = ${id} and nth = ${wave} for update`
    await tx`
      update task_waves set state = ${isReached ? 'reached' : 'short'}, ended_at = ${now} where task_id = ${id} and nth = ${wave}`
    await openWave(tx, ctx, id, wave + 1)
    const facts = { wave: wave + 1, done, failed, open, unreached, percent }
    await decide(
      tx,
      [
        ...(isReached ? [{ taskId: id, what: 'waveReached' as const, facts }] : []),
        // If that paused the task, it was told then.
        ...(isReached || was?.state === 'short' ? [] : [{ taskId: id, what: 'waveShort' as const, facts }]),
        { taskId: id, what: 'waveStarted', facts: { wave: wave + 2 } },
      ],
      now,
    )
    return true
  })
}

async function fallShort(ctx: WorkerContext, { id, wave, done, failed, percent }: Running): Promise<void> {
  const now = ctx.now()
  await ctx.sql.begin(async (tx) => {
    const stopped = await pauseTask(tx, id, 'wave', { failed, tried: done + failed }, now)
    if (!stopped) return
    await tx`update task_waves set state = 'short' where task_id = ${id} and nth = ${wave}`
    await decide(
      tx,
      [{ taskId: id, what: 'waveShort', facts: { wave: wave + 1, done, failed, percent } }],
      now,
    )
    await mailPause(tx, ctx, id, { wave: wave + 1, done, failed })
  })
  ctx.log.warn({ task: id, wave, failed }, 'task paused: a wave fell short')
}

/** Enough are done, but of the devices that the wave reached as many failed as pause the task. */
async function tooManyFailed(ctx: WorkerContext, { id, wave, done, failed }: Running): Promise<void> {
  await ctx.sql.begin(async (tx) => {
    const counted = { failed, tried: done + failed }
    if (await pauseTask(tx, id, 'failures', counted, ctx.now())) await mailPause(tx, ctx, id, counted)
  })
  ctx.log.warn({ task: id, wave, failed }, 'task paused before its next wave: too many devices failed')
}

/** Returns how many waves began. */
export async function advanceWaves(ctx: WorkerContext): Promise<number> {
  let begun = 0
  for (const running of await runningWaves(ctx.sql, ctx.now())) {
    const verdict = waveVerdict(running, running.percent)
    if (verdict === 'short') await fallShort(ctx, running)
    if (verdict !== 'next') continue
    const { maxFailurePercent: limit, done, failed, open } = running
    if (limit !== null && reachesShare(limit, failed, done + failed + open)) await tooManyFailed(ctx, running)
    else if (await advance(ctx, running)) begun++
  }
  return begun
}
