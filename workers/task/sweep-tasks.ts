/**
 * What no report causes: passed deadlines, sending interrupted by a crash, messages that have yet to be sent.
 */

import { kindNamed, unlocked } from '#infra/task-kinds'
import type { TaskFailure, TaskStep } from '#schema/kit/task-kind'
import { endReason } from '#schema/task/end-reason'
import { moveSql, type Sending, stepTaken } from '#schema/task/moves'
import {
  ASK_AFTER_MS,
  dispatchTasks,
  RETURN_GRACE_MS,
  silenceFailure,
  sweepTasks,
  UNREADABLE_AFTER_MS,
} from '#schema/task/task'
import { brokerGap, noBrokerFor } from '../device/broker-gap.ts'
import { processor, type WorkerContext } from '../kit/processor.ts'
import { advanceWaves } from './advance-waves.ts'
import { callBackPaused } from './call-back.ts'
import { carrierOf, kindsWithoutCallBack } from './carriers.ts'
import { completeTasks } from './complete-tasks.ts'
import { endSilent } from './end-silent.ts'
import { expireApprovals } from './expire-approvals.ts'
import { guardTasks } from './guard-tasks.ts'
import { publishAll } from './publish-all.ts'
import { retryFailed } from './retry-failed.ts'
import { servingGap, stepSeconds } from './serving-gap.ts'
import { settleSoaks } from './settle-soaks.ts'
import { settleTasks } from './settle-tasks.ts'

const BATCH = 1000

type Overdue = {
  id: string
  taskId: number
  kind: string
  step: TaskStep
  sending: Sending
  heldUpBy: TaskFailure | null
  online: boolean
  /** It was not sent before its task expired. */
  expired: boolean
  /** Its packages cannot be made: what it runs could not be read for a long time, though it was there. */
  unreadable: boolean
}

/** What was sent, or asked, after this may still be answered. */
const askedSince = (now: Date, scale: number) => new Date(now.getTime() - ASK_AFTER_MS * scale)

const reasonOf = ({ expired, unreadable, step }: Overdue) =>
  expired ? 'expired' : unreadable ? 'noConfiguration' : (`silentIn:${step}` as const)

/**
 * Turns silence into a named failure. `sending` is unchanged, because the device has yet to be informed (see
 * `notifyEnded`).
 */
function endOverdue(ctx: WorkerContext): Promise<number> {
  const now = ctx.now()
  const scale = ctx.env.TASK_DEADLINE_SCALE
  return ctx.sql.begin(async (tx) => {
    const open = tx.unsafe(unlocked)
    const longAgo = new Date(now.getTime() - UNREADABLE_AFTER_MS * scale)
    const unreadable = tx`(i.sending = 'none' and t.args ? 'change' and s.online is true
      and s.online_changed_at < ${longAgo} and c.unread_since < ${longAgo}) is true`
    const rows = await tx<Overdue[]>`
      select i.id, i.task_id as "taskId", t.kind, i.step, i.sending, i.held_up_by as "heldUpBy", coalesce(s.online, false) as online,
        (i.sending = 'none' and t.expires_at < ${now}) is true as expired, ${unreadable} as unreadable
      from task_items i join tasks t on t.id = i.task_id join devices d on d.id = i.device_id
      left join device_states s on s.device_id = i.device_id left join device_configs c on c.device_id = i.device_id
      where i.outcome is null and i.sending <> 'soaking' and i.wave <= t.wave
        -- Nobody could have sent it yet; the time until the approval is given back (api/task/task-approval.ts).
        and t.approval is distinct from 'waiting'
        -- After an outage of ours: what the devices reported meanwhile comes first.
        and not exists (select 1 from inbox b where b.device_id = i.device_id)
        and (
          -- What had no turn within the time of its task gets none later, paused or not.
          (i.sending = 'none' and t.expires_at < ${now})
          or (i.deadline_at < ${now} and (t.expires_at is null or i.sending <> 'none')
            -- Of a paused task only those beyond recall are waited for: the others stand still because we said so.
            and (t.paused_at is null or not ${open})
            and not ${servingGap(tx, scale)}
            -- They get time to return.
            and not ${brokerGap(tx, new Date(now.getTime() - RETURN_GRACE_MS * scale))}
            -- Interrupted by an outage of ours that outlasted its time: nobody has asked yet, or it may still answer.
            and not (i.sending = 'intent' and s.online is true)
            and not (i.sending = 'asking' and i.sending_at > greatest(i.deadline_at, ${askedSince(now, scale)}))
            -- After a gap, or what looked like one, each has the full time of its step again.
            and not (i.sending <> 'none' and ${noBrokerFor(tx, now, stepSeconds(tx, scale))})
            -- Online, only waiting for its turn: whoever is before it has a deadline. Gone since, it gets the time to return.
            and not (i.sending = 'none' and not ${unreadable} and d.secret_hash is not null and (s.online is true
              or coalesce(s.last_logout_at > ${now}::timestamptz
                - make_interval(secs => t.wait_offline_minutes * 60 * ${scale}::float8), false)))))
      order by i.id limit ${BATCH} for update of i skip locked`
    if (rows.length === 0) return 0
    const ends = rows.map((row) => ({
      id: row.id,
      failure:
        row.unreadable && !row.expired
          ? ('upgradeFailed' as const)
          : (row.online && row.heldUpBy) ||
            silenceFailure(kindNamed(row.kind), stepTaken(row), row.expired ? false : row.online),
      detail: endReason(reasonOf(row)),
    }))
    await endSilent(tx, ends, now)
    const tasks = [...new Set(rows.map((row) => row.taskId))]
    await settleTasks(tx, { ended: tasks, failed: tasks }, ctx)
    return rows.length
  })
}

/**
 * Asks online devices about items that may not have arrived: sending interrupted by a crash, an unanswered
 * query, or a message without a response for half of its deadline.
 */
async function askUncertain(ctx: WorkerContext): Promise<number> {
  const now = ctx.now()
  const scale = ctx.env.TASK_DEADLINE_SCALE
  const cut = askedSince(now, scale)
  const ask = moveSql('ask')
  const rows = await ctx.sql<{ id: string; sn: string; kind: string }[]>`
    -- What is locked is left out: a report of its device is being stored, and may say it. Waiting for several could be a deadlock.
    with due as (
      select i.id, d.sn, t.kind from task_items i join device_states s on s.device_id = i.device_id
        join devices d on d.id = i.device_id join tasks t on t.id = i.task_id
      where s.online and ${ctx.sql.unsafe(ask.where)}
        and (t.paused_at is null or not ${ctx.sql.unsafe(unlocked)})
        and ((i.sending in ('intent', 'asking') and i.sending_at < ${cut})
          or (i.sending = 'sent' and i.step = 'sent'
            and i.sending_at < ${now}::timestamptz - make_interval(secs => (t.deadlines->>'sent')::float8 / 2 * ${scale}::float8)))
      for no key update of i skip locked),
    asked as (
      update task_items i set ${ctx.sql.unsafe(ask.set)}, sending_at = ${now} from due where due.id = i.id
      returning i.id, i.device_id, due.sn, due.kind)
    , noted as (insert into task_events (item_id, device_id, at, what) select id, device_id, ${now}, 'asked' from asked)
    select id, sn, kind from asked`
  await publishAll(
    ctx,
    rows.map((row) => carrierOf(row.kind).ask(row)),
  )
  return rows.length
}

/** Items ended by a user or by a timeout: an online device must stop, and must not begin later. */
async function notifyEnded(ctx: WorkerContext): Promise<number> {
  const tell = moveSql('tell')
  const rows = await ctx.sql<{ id: string; sn: string; kind: string; online: boolean }[]>`
    select i.id, d.sn, t.kind, coalesce(s.online, false) as online
    from task_items i join tasks t on t.id = i.task_id join devices d on d.id = i.device_id
      left join device_states s on s.device_id = i.device_id
    where ${ctx.sql.unsafe(tell.where)} and (s.online or i.step = 'upgrading' or t.kind = any(${kindsWithoutCallBack}))
    limit ${BATCH}`
  // A flashing device is not interrupted; it is just no longer waited for.
  const words = rows.flatMap((row) => {
    const word = row.online ? carrierOf(row.kind).callBack?.(row) : undefined
    return word ? [{ row, word }] : []
  })
  const taken = await publishAll(
    ctx,
    words.map(({ word }) => word),
  )
  const lost = new Set(words.filter((_, index) => !taken.has(index)).map(({ row }) => row.id))
  const over = rows.filter(({ id }) => !lost.has(id)).map(({ id }) => id)
  if (over.length > 0)
    await ctx.sql`
      update task_items i set ${ctx.sql.unsafe(tell.set)} where i.id in (
        select i.id from task_items i where i.id = any(${over}::uuid[]) and ${ctx.sql.unsafe(tell.where)} for no key update skip locked)`
  return over.length
}

export const sweepTasksJob = processor(sweepTasks, async (ctx) => {
  const overdue = await endOverdue(ctx)
  const asked = await askUncertain(ctx)
  const notified = await notifyEnded(ctx)
  const withdrawing = await callBackPaused(ctx)
  await expireApprovals(ctx)
  const soaked = await settleSoaks(ctx)
  const retried = await retryFailed(ctx)
  const waves = await advanceWaves(ctx)
  // Checked again for a failure that arrived while the task was being resumed, when it still counted as
  // paused. Each in its own transaction: together they would lock tasks out of order.
  await ctx.sql.begin((tx) => guardTasks(tx, null, ctx))
  await ctx.sql.begin((tx) => completeTasks(tx, null, ctx.now()))
  // Ended items free slots: for the next item of the device, and in their task.
  if (overdue + notified + soaked + retried + waves > 0) await ctx.queue.add(dispatchTasks, {})
  return { overdue, asked, notified, withdrawing }
})
