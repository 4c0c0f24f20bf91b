/**
 * Sends due items to their devices. The intent is committed before the message is sent; a crash in between
 * leaves `intent`, and sweepTasks asks the device before anything else is sent to it.
 */
import { ifReadable } from '#infra/secrets'
import { endReason } from '#schema/task/end-reason'
import { moveSql } from '#schema/task/moves'
import { dispatchTasks } from '#schema/task/task'
import { prepareConfigs } from '../config/prepare-configs.ts'
import { processor, type Transaction, type WorkerContext } from '../kit/processor.ts'
import { carrierOf } from './carriers.ts'
import type { TakenRow } from './carry.ts'
import { checkSenders } from './check-senders.ts'
import { completeTasks } from './complete-tasks.ts'
import { decide } from './decide.ts'
import { endUnsent } from './end-unsent.ts'
import { openHours } from './open-hours.ts'
import { dismissOvertaken } from './overtaken.ts'
import { publishAll } from './publish-all.ts'
import { TAKE_MAX, takeDue, WINDOW_S } from './take-due.ts'

const LOCK = 7311
/**
 * Number of items marked as sent in one statement: few statements, and a crash leaves few items to be asked
 * about.
 */
const MARK = 100

/** Returns null if another dispatcher is running. */
function withDispatchLock<T>(ctx: WorkerContext, work: (tx: Transaction) => Promise<T>): Promise<T | null> {
  return ctx.sql.begin(async (tx) => {
    const [lock] = await tx<{ got: boolean }[]>`select pg_try_advisory_xact_lock(${LOCK}) as got`
    return lock?.got ? work(tx) : null
  })
}

/**
 * Waiting items whose device has the version meanwhile (by another task, or manually) need no installation.
 */
async function finishInstalled(tx: Transaction, now: Date): Promise<void> {
  const arrive = moveSql('arrive')
  const finished = await tx<{ taskId: number }[]>`
    with arrived as (
      select i.id from task_items i join tasks t on t.id = i.task_id join devices d on d.id = i.device_id
      where t.status = 'ongoing' and t.start_at <= ${now} and i.sending = 'none' and ${tx.unsafe(arrive.where)}
        and t.version = case when t.type = 'upgrade' then d.firmware else d.packages->>t.package_name end
      order by i.id for update of i skip locked),
    done as (
      update task_items i set ${tx.unsafe(arrive.set)}, step_at = ${now}
      from arrived where arrived.id = i.id
      returning i.id, i.device_id, i.task_id)
    , announced as (insert into task_events (item_id, device_id, at, what, detail)
      select id, device_id, ${now}, 'done', 'already installed' from done)
    select distinct task_id as "taskId" from done`
  await completeTasks(
    tx,
    finished.map(({ taskId }) => taskId),
    now,
  )
}

/** By compare-and-set: the device may have responded before this, and is then further. */
async function markSent(ctx: WorkerContext, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const now = ctx.now()
  const leave = moveSql('leave')
  await ctx.sql`
    with taken as (
      select i.id, i.device_id, i.step from task_items i
      where i.id = any(${[...ids]}::uuid[]) and ${ctx.sql.unsafe(leave.where)} order by i.id for update),
    sent as (
      update task_items i set ${ctx.sql.unsafe(leave.set)}, sending_at = ${now},
        step_at = case when taken.step = 'created' then ${now} else i.step_at end
      from taken where taken.id = i.id)
    insert into task_events (item_id, device_id, at, what)
    select id, device_id, ${now}, 'sent' from taken where step = 'created'`
}

/** Records that tasks whose time has come begin. */
async function startTasks(ctx: WorkerContext): Promise<void> {
  const now = ctx.now()
  // Begun while the clock was ahead: set back, it would hold them up until that time comes again [decisions/061].
  await ctx.sql`
    update tasks set start_at = ${now} where status = 'ongoing' and started_at is not null and start_at > ${now}`
  await ctx.sql.begin(async (tx) => {
    const started = await tx<{ id: number }[]>`
      update tasks t set started_at = ${now}
      where t.id = any(array(select id from tasks where status = 'ongoing' and started_at is null and paused_at is null
        and start_at <= ${now} order by id for no key update)) returning t.id`
    await decide(
      tx,
      started.map(({ id }) => ({ taskId: id, what: 'started' as const })),
      now,
    )
    await tx`
      update task_waves set state = 'running', started_at = ${now}
      where task_id = any(${started.map(({ id }) => id)}) and nth = 0 and state = 'waiting'`
  })
}

/**
 * Without those that were paused or cancelled since they were taken: what is on its way is one part, not all that was
 * taken. The rows keep their intent, and are called back or asked about.
 */
async function stillWanted(ctx: WorkerContext, rows: readonly TakenRow[]): Promise<TakenRow[]> {
  if (rows.length === 0) return []
  const stopped = await ctx.sql<{ id: string }[]>`
    select i.id from task_items i join tasks t on t.id = i.task_id
    where i.id = any(${rows.map(({ id }) => id)}::uuid[]) and (i.outcome is not null or t.paused_at is not null)`
  const ids = new Set(stopped.map(({ id }) => id))
  return rows.filter(({ id }) => !ids.has(id))
}

/** Returns how many of them needed no message. */
async function send(ctx: WorkerContext, rows: readonly TakenRow[]): Promise<number> {
  let ended = 0
  for (let start = 0; start < rows.length; start += MARK) {
    const taking = rows.slice(start, start + MARK)
    const prepared = await prepareConfigs(ctx, taking)
    ended += taking.length - prepared.length
    const wanted = await stillWanted(ctx, prepared)
    const made = wanted.map((row) => ({ row, message: ifReadable(() => carrierOf(row.kind).send(ctx, row)) }))
    const unreadable = made.filter(({ message }) => message === null)
    if (unreadable.length > 0)
      await ctx.sql.begin((tx) =>
        endUnsent(
          tx,
          unreadable.map(({ row }) => ({ id: row.id, how: 'fail', detail: endReason('otherKey') })),
          ctx,
        ),
      )
    const part = made.flatMap(({ row, message }) => (message ? [{ ...row, message }] : []))
    const taken = await publishAll(
      ctx,
      part.map(({ message }) => message),
    )
    await markSent(
      ctx,
      part.filter((_, index) => taken.has(index)).map((row) => row.id),
    )
  }
  return ended
}

const pacing = new WeakMap<WorkerContext, { again: boolean }>()

/**
 * The rest of a task with a rate per second may be due when the window of the rate is over; the periodic runs of this job are
 * farther apart, and nothing wakes it before the first devices are back. One timer serves all tasks: what is sent while it
 * runs, of another one, has its own window after that.
 */
function goOnAtPace(ctx: WorkerContext): void {
  const running = pacing.get(ctx)
  if (running) {
    running.again = true
    return
  }
  const started = { again: false }
  pacing.set(ctx, started)
  setTimeout(() => {
    pacing.delete(ctx)
    if (started.again) goOnAtPace(ctx)
    ctx.queue.add(dispatchTasks, {}).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'a task goes on with the next periodic run')
    })
  }, WINDOW_S * 1000).unref()
}

export const dispatchTasksJob = processor(dispatchTasks, async (ctx) => {
  let sent = 0
  // Without the broker nothing can be sent: each intent would only have to be asked about later.
  if (!ctx.line.connected()) return { sent }
  await checkSenders(ctx)
  // In a separate transaction: it locks the tasks that it completes, and no others may be locked after them.
  await withDispatchLock(ctx, (tx) => finishInstalled(tx, ctx.now()))
  await withDispatchLock(ctx, (tx) => dismissOvertaken(tx, ctx.now()))
  await startTasks(ctx)
  const hours = await openHours(ctx)
  while (ctx.line.connected()) {
    const rows = (await withDispatchLock(ctx, (tx) => takeDue(tx, ctx, hours))) ?? []
    const ended = await send(ctx, rows)
    sent += rows.length
    if (rows.some(({ paced }) => paced)) goOnAtPace(ctx)
    // All that are due: what becomes due from now on wakes this job again. Places that became free at once are taken
    // now, or thousands of devices that run the wanted values already would pass ten at a time, every two seconds.
    if (rows.length < TAKE_MAX && ended === 0) break
  }
  return { sent }
})
