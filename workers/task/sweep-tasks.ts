/** What no report will ever say: deadlines that passed, windows cut by a crash, words that have yet to be told. */
import {
  ASK_AFTER_MS,
  cancel,
  dispatchTasks,
  query,
  RETURN_GRACE_MS,
  silenceFailure,
  stepDeadlineMs,
  sweepTasks,
  type TaskFailure,
  type TaskStep,
  upgradeKind,
} from '#schema/task/task'
import { processor, type WorkerContext } from '../kit/processor.ts'
import { completeTasks } from './complete-tasks.ts'
import { guardTasks } from './guard-tasks.ts'
import { servingGap } from './serving-gap.ts'
import { settleTasks } from './settle-tasks.ts'
import { tellAll } from './tell-all.ts'
import { withdrawPaused } from './withdraw-paused.ts'

const BATCH = 1000

type Overdue = {
  id: string
  taskId: number
  step: TaskStep
  sending: string
  heldUpBy: TaskFailure | null
  online: boolean
}

/** Silence becomes a named failure. `sending` stays as it is: the device has yet to be told (see `tellEnded`). */
function endOverdue(ctx: WorkerContext): Promise<number> {
  const now = ctx.now()
  const grace = RETURN_GRACE_MS * ctx.env.TASK_DEADLINE_SCALE
  return ctx.sql.begin(async (tx) => {
    const rows = await tx<Overdue[]>`
      select i.id, i.task_id as "taskId", i.step, i.sending, i.held_up_by as "heldUpBy",
        coalesce(s.online, false) as online
      from task_items i join tasks t on t.id = i.task_id join devices d on d.id = i.device_id
      left join device_states s on s.device_id = i.device_id
      where i.outcome is null and i.deadline_at < ${now}
        -- Of a paused task only those that install are waited for: the others stand still because we said so.
        and (t.paused_at is null or i.step = 'upgrading')
        -- After an outage of ours: what the devices told meanwhile comes first, and they get time to return.
        and not exists (select 1 from inbox b where b.device_id = i.device_id)
        and not exists (select 1 from brokers b where b.started_at > ${new Date(now.getTime() - grace)})
        and not ${servingGap(tx, upgradeKind, ctx.env.TASK_DEADLINE_SCALE)}
        -- Online, only waiting for its turn: whoever is before it has a deadline. Gone since, it gets the time to return.
        and not (i.sending = 'none' and d.secret_hash is not null and (s.online is true
          or coalesce(s.last_logout_at > ${now}::timestamptz
            - make_interval(secs => t.wait_offline_minutes * 60 * ${ctx.env.TASK_DEADLINE_SCALE}::float8), false)))
      order by i.id limit ${BATCH} for update of i skip locked`
    if (rows.length === 0) return 0
    const ends = rows.map((row) => {
      // Offered, with no word that it left: for the device that is the step `sent`.
      const step = row.step === 'created' && row.sending !== 'none' ? 'sent' : row.step
      return {
        id: row.id,
        failure: (row.online && row.heldUpBy) || silenceFailure(upgradeKind, step, row.online),
        detail: `no word in the step ${row.step}`,
      }
    })
    await write(tx, ends, now)
    const tasks = [...new Set(rows.map((row) => row.taskId))]
    await settleTasks(tx, { ended: tasks, failed: tasks }, ctx)
    return rows.length
  })
}

type End = { id: string; failure: TaskFailure; detail: string }
function write(tx: Parameters<typeof completeTasks>[0], ends: End[], now: Date) {
  return tx`
    with ended as (
      update task_items i set outcome = 'failed', failure = v.failure, failure_detail = v.detail, percent = null,
        step_at = ${now}
      from jsonb_to_recordset(${tx.json(ends)}) as v(id uuid, failure text, detail text)
      where i.id = v.id and i.outcome is null
      returning i.id, i.device_id, i.failure, i.failure_detail)
    insert into task_events (item_id, device_id, at, what, detail)
    select id, device_id, ${now}, 'failed', failure || ': ' || failure_detail from ended`
}

/**
 * Asks online devices about items whose offer may not have arrived: a window cut by a crash, a question without
 * answer, or an offer with no word for half of its deadline.
 */
async function askUncertain(ctx: WorkerContext): Promise<number> {
  const now = ctx.now()
  const scale = ctx.env.TASK_DEADLINE_SCALE
  const cut = new Date(now.getTime() - ASK_AFTER_MS * scale)
  const quiet = new Date(now.getTime() - stepDeadlineMs(upgradeKind, 'sent', scale) / 2)
  const rows = await ctx.sql<{ id: string; sn: string }[]>`
    with asked as (
      update task_items i set sending = 'asking', sending_at = ${now}
      from device_states s, devices d, tasks t
      where s.device_id = i.device_id and d.id = i.device_id and t.id = i.task_id and s.online and i.outcome is null
        and t.paused_at is null
        and ((i.sending in ('intent', 'asking') and i.sending_at < ${cut})
          or (i.sending = 'sent' and i.step = 'sent' and i.sending_at < ${quiet}))
      returning i.id, i.device_id, d.sn)
    , noted as (insert into task_events (item_id, device_id, at, what) select id, device_id, ${now}, 'asked' from asked)
    select id, sn from asked`
  await tellAll(
    ctx,
    rows.map(({ id, sn }) => ({ sn, message: query, payload: { item: id } })),
  )
  return rows.length
}

/** Items ended by an operator or by silence: an online device must stop, and must not begin later. */
async function tellEnded(ctx: WorkerContext): Promise<number> {
  const rows = await ctx.sql<{ id: string; sn: string; online: boolean }[]>`
    select i.id, d.sn, coalesce(s.online, false) as online
    from task_items i join devices d on d.id = i.device_id left join device_states s on s.device_id = i.device_id
    where i.outcome in ('failed', 'cancelled') and i.sending <> 'none' and (s.online or i.step = 'upgrading')
    limit ${BATCH}`
  // A flashing device is not interrupted; it is only no longer waited for.
  const tell = rows.filter((row) => row.online)
  const taken = await tellAll(
    ctx,
    tell.map(({ id, sn }) => ({ sn, message: cancel, payload: { item: id } })),
  )
  const over = rows.filter((row) => !row.online || taken.has(tell.indexOf(row))).map(({ id }) => id)
  if (over.length > 0)
    await ctx.sql`update task_items set sending = 'none' where id = any(${over}::uuid[]) and outcome is not null`
  return over.length
}

export const sweepTasksJob = processor(sweepTasks, async (ctx) => {
  const overdue = await endOverdue(ctx)
  const asked = await askUncertain(ctx)
  const told = await tellEnded(ctx)
  const withdrawing = await withdrawPaused(ctx)
  // Again for a failure that came while the task was being resumed, when it was still taken for paused. Each in a
  // transaction of its own: together they would lock tasks out of order.
  await ctx.sql.begin((tx) => guardTasks(tx, null, ctx))
  await ctx.sql.begin((tx) => completeTasks(tx, null, ctx.now()))
  // What ended made room: for the next item of its device, and under the cap of its task.
  if (overdue + told > 0) await ctx.queue.add(dispatchTasks, {})
  return { overdue, asked, told, withdrawing }
})
