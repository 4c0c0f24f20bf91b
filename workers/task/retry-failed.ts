/** Retries of failed devices by the platform, as their task says: by reason, with growing pauses. [decisions/094] */
import { unlocked } from '#infra/task-kinds'
import type { Transaction, WorkerContext } from '../kit/processor.ts'
import { decide } from './decide.ts'
import { overtaken } from './overtaken.ts'

/** The longest pause. */
const PAUSE_MAX_MINUTES = 1440
const BATCH = 1000

/**
 * When the devices that just failed are tried again. Never those that were past recall: whether they install is
 * unknown, and a second attempt could meet the first.
 */
export async function planRetries(
  tx: Transaction,
  taskIds: readonly number[],
  ctx: Pick<WorkerContext, 'env' | 'now'>,
): Promise<void> {
  if (taskIds.length === 0) return
  await tx`
    update task_items i set retry_at = ${ctx.now()}::timestamptz + make_interval(secs =>
      least(${PAUSE_MAX_MINUTES}, r."afterMinutes" * power(2, i.attempt - 1)) * 60 * ${ctx.env.TASK_DEADLINE_SCALE}::float8)
    from tasks t cross join lateral jsonb_to_recordset(t.retries) as r(failure text, times integer, "afterMinutes" integer)
    where t.id = i.task_id and t.id = any(${[...taskIds]}) and t.retries is not null and i.outcome = 'failed'
      and not i.superseded and i.retry_at is null and not i.retry_off and r.failure = i.failure and i.attempt <= r.times and ${tx.unsafe(unlocked)}`
}

/** Puts a new item in the place of each that is due. Returns how many. */
export async function retryFailed(ctx: WorkerContext): Promise<number> {
  const now = ctx.now()
  return ctx.sql.begin(async (tx) => {
    const made = await tx<{ taskId: number; n: number }[]>`
      with due as (
        select i.id, d.deleted_at is null and d.secret_hash is not null and d.customer_id = i.customer_id and not ${tx.unsafe(overtaken)} as alive
        from task_items i join tasks t on t.id = i.task_id join devices d on d.id = i.device_id
        where i.retry_at <= ${now} and i.outcome = 'failed' and not i.superseded and t.status = 'ongoing' and t.paused_at is null
        -- A device that is being given away is looked at next time: it would get what its former owner began.
        order by i.id limit ${BATCH} for update of i skip locked for key share of d skip locked),
      old as (
        update task_items i set retry_at = null, superseded = due.alive, retry_off = not due.alive from due where due.id = i.id
        returning i.*, due.alive),
      again as (
        insert into task_items (id, task_id, device_id, customer_id, attempt, wave, args, target_hash, deadline_at, step_at, from_version)
        select gen_random_uuid(), old.task_id, old.device_id, old.customer_id, old.attempt + 1, old.wave, old.args, old.target_hash,
          ${now}::timestamptz + make_interval(secs => t.wait_offline_minutes * 60 * ${ctx.env.TASK_DEADLINE_SCALE}::float8), ${now}, old.from_version
        from old join tasks t on t.id = old.task_id where old.alive
        returning id, task_id, device_id, attempt),
      noted as (
        insert into task_events (item_id, device_id, at, what, detail)
        select id, device_id, ${now}, 'created', 'attempt ' || attempt from again)
      select task_id as "taskId", count(*)::int as n from again group by 1`
    await decide(
      tx,
      made.map(({ taskId, n }) => ({ taskId, what: 'retried' as const, facts: { devices: n } })),
      now,
    )
    return made.length
  })
}
