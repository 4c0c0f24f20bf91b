/**
 * Offers due items to devices. The intent is committed before the offer leaves; a crash in between leaves
 * `intent`, and sweepTasks asks the device before anything else is said to it.
 */
import { dispatchTasks, stepDeadlineMs, upgradeKind } from '#schema/task/task'
import { RAMP_PER_DONE, RAMP_START, TASK_MAX_ACTIVE } from '#schema/task/upgrade-guard'
import { isReady } from '../device/ready.ts'
import { processor, type Transaction, type WorkerContext } from '../kit/processor.ts'
import { completeTasks } from './complete-tasks.ts'
import { makeOffer, type OfferRow } from './offer.ts'
import { tellAll } from './tell-all.ts'

const BATCH = 500
const LOCK = 7311
/** So many are marked as sent in one statement: few statements, and a crash leaves few to be asked. */
const MARK = 100

/** null: another dispatcher is at it. */
function alone<T>(ctx: WorkerContext, work: (tx: Transaction) => Promise<T>): Promise<T | null> {
  return ctx.sql.begin(async (tx) => {
    const [lock] = await tx<{ got: boolean }[]>`select pg_try_advisory_xact_lock(${LOCK}) as got`
    return lock?.got ? work(tx) : null
  })
}

/** Waiting items whose device meanwhile has the version (another task, a hand) need no flash. */
async function finishInstalled(tx: Transaction, now: Date): Promise<void> {
  const finished = await tx<{ taskId: number }[]>`
    with arrived as (
      select i.id from task_items i join tasks t on t.id = i.task_id join devices d on d.id = i.device_id
      where t.status = 'ongoing' and t.start_at <= ${now} and i.outcome is null and i.sending = 'none'
        and t.version = case when t.type = 'upgrade' then d.firmware else d.packages->>t.package_name end
      order by i.id for update of i skip locked),
    done as (
      update task_items i set outcome = 'done', step = 'done', step_at = ${now}
      from arrived where arrived.id = i.id
      returning i.id, i.device_id, i.task_id)
    , told as (insert into task_events (item_id, device_id, at, what, detail)
      select id, device_id, ${now}, 'done', 'already installed' from done)
    select distinct task_id as "taskId" from done`
  await completeTasks(
    tx,
    finished.map(({ taskId }) => taskId),
    now,
  )
}

async function takeDue(ctx: WorkerContext): Promise<readonly OfferRow[]> {
  const now = ctx.now()
  const deadlineAt = new Date(
    now.getTime() + stepDeadlineMs(upgradeKind, 'sent', ctx.env.TASK_DEADLINE_SCALE),
  )
  const silentSince = new Date(
    now.getTime() - stepDeadlineMs(upgradeKind, 'upgrading', ctx.env.TASK_DEADLINE_SCALE),
  )
  // By itself: tasks that it completes are locked, and others are not to be locked after them.
  await alone(ctx, (tx) => finishInstalled(tx, now))
  const taken = await alone(
    ctx,
    (tx) => tx<OfferRow[]>`
      -- Called back, and for so long no word of going on: it installs no more, and must not hold up the others.
      with busy as (
        select task_id, count(*)::int as n from task_items
        where outcome is null and sending <> 'none' and not (sending = 'withdrawing' and step_at < ${silentSince})
        group by task_id),
      -- As takesAtOnce (schema/task/upgrade-guard.ts) says: a guarded task opens up as devices come back with the new version.
      open as (
        select t.id, least(t.max_in_flight, case when t.max_failures is null and t.max_failure_percent is null
          then ${TASK_MAX_ACTIVE} else ${RAMP_START} + ${RAMP_PER_DONE} * (select count(*) from (
            select 1 from task_items p where p.task_id = t.id and not p.superseded and not p.before_resume
              and p.outcome = 'done' and p.offers > 0 limit ${TASK_MAX_ACTIVE}) proven) end) as room
        from tasks t where t.status = 'ongoing' and t.start_at <= ${now} and t.paused_at is null),
      ready as (
        select i.id, i.task_id, i.device_id, o.room,
          row_number() over (partition by i.device_id order by t.start_at, t.id) as turn
        from task_items i
        join tasks t on t.id = i.task_id
        join open o on o.id = t.id
        join devices d on d.id = i.device_id
        join device_states s on s.device_id = i.device_id
        where i.outcome is null and i.sending = 'none' and i.step in ('created', 'sent')
          and ${isReady(tx, now)}
          -- Nothing else of ours runs on it, and nothing that was ended has yet to be told to it.
          and not exists (
            select 1 from task_items o where o.device_id = i.device_id and o.sending <> 'none'
              and (o.outcome is null or o.outcome in ('failed', 'cancelled')))),
      -- Whose turn it is in another task takes no place in this one.
      placed as (
        select r.id, r.room, coalesce(b.n, 0) + row_number() over (partition by r.task_id order by r.device_id) as place
        from ready r left join busy b on b.task_id = r.task_id where r.turn = 1),
      chosen as (
        select i.id from task_items i join placed p on p.id = i.id join tasks t on t.id = i.task_id
        where p.place <= p.room and i.outcome is null and i.sending = 'none' and t.paused_at is null
        -- Whoever pauses the task waits for this commit, or this looks again after his: nothing is sent behind his back.
        -- Tasks in one order, as whoever stops or completes them.
        order by t.id, i.id limit ${BATCH} for update of i skip locked for share of t)
      update task_items i set sending = 'intent', sending_at = ${now}, offered_at = ${now}, deadline_at = ${deadlineAt}, offers = i.offers + 1,
        from_boot_id = d.boot_id,
        from_version = case when t.type = 'upgrade' then d.firmware else d.packages->>t.package_name end
      from chosen c, tasks t, devices d
      where i.id = c.id and t.id = i.task_id and d.id = i.device_id
      returning i.id, i.device_id as "deviceId", d.sn, t.type, t.package_name as "packageName", t.model, t.version,
        t.size_bytes as "sizeBytes", t.sha256, t.md5, t.keep_config as "keepConfig", t.server`,
  )
  return taken ?? []
}

/** By compare-and-set: the device may have answered before this, and then it stands further. */
async function markSent(ctx: WorkerContext, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const now = ctx.now()
  await ctx.sql`
    with taken as (
      select id, device_id, step from task_items
      where id = any(${[...ids]}::uuid[]) and sending = 'intent' and outcome is null order by id for update),
    sent as (
      update task_items i set sending = 'sent', sending_at = ${now},
        step_at = case when i.step = 'created' then ${now} else i.step_at end,
        step = case when i.step = 'created' then 'sent' else i.step end
      from taken where taken.id = i.id)
    insert into task_events (item_id, device_id, at, what)
    select id, device_id, ${now}, 'sent' from taken where step = 'created'`
}

async function send(ctx: WorkerContext, rows: readonly OfferRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += MARK) {
    const part = rows.slice(start, start + MARK)
    const taken = await tellAll(
      ctx,
      part.map((row) => makeOffer(ctx, row)),
    )
    await markSent(
      ctx,
      part.filter((_, index) => taken.has(index)).map((row) => row.id),
    )
  }
}

export const dispatchTasksJob = processor(dispatchTasks, async (ctx) => {
  let offered = 0
  // Without the broker nothing can leave: an intent would only have to be asked about later.
  while (ctx.line.connected()) {
    const rows = await takeDue(ctx)
    if (rows.length === 0) break
    await send(ctx, rows)
    offered += rows.length
  }
  return { offered }
})
