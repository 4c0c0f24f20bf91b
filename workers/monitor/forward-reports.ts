/**
 * Forwards stored reports and alarms to customers' systems: in order, from the position that the target has
 * acknowledged. The position moves only after the acknowledgement, so nothing is lost; what was in transit when a
 * process died is sent again. A target that does not respond delays no other, and a message whose content it refuses
 * none of those that it takes.
 */
import { randomUUID } from 'node:crypto'
import { forwardReports } from '#schema/monitor/north'
import { processor, type WorkerContext } from '../kit/processor.ts'
import { runLines } from '../kit/shared-lines.ts'
import { type Before, type Divided, isAboutContent, sendDivided, takesOne } from './north-divide.ts'
import {
  type Message,
  openReader,
  type Positioned,
  type Reader,
  readAlarms,
  readNewest,
  readNewestAlarms,
  readReports,
  type Target,
} from './north-read.ts'
import { NorthFailure, type Receiver, SEND_TIMEOUT_MS, sendNorth } from './north-send.ts'

/** Targets served at the same time, at most half of them of one customer: until the first attempt nobody knows that a target hangs. */
const SIDE_BY_SIDE = 10
/**
 * Beside them, targets whose last attempt failed, those that failed less often first. They have lines of their own: one that hangs takes half a minute of a
 * line at each attempt, and enough of them would keep all lines from those that answer.
 */
const FAILING_SIDE_BY_SIDE = 8
/** One target, in one run: then the others have their turn. */
const TURN_MS = 10_000
/** Lease: longer than a turn and its last batch, so that no other process takes the target while it is served. */
const LEASE_S = (TURN_MS + 3 * SEND_TIMEOUT_MS) / 1000
/** No turn begins later than this in a run, or while others still have one that began before: the next run waits for all of them. */
const RUN_MS = 60_000
const READ_FRESH_MS = 2_000
/** Between two turns of a target that takes everything. */
const REST_S = 1.5
const PAUSE_S = [5, 15, 60, 300] as const

type Taken = Target &
  Receiver &
  Before & {
    customerId: number
    lease: string
    values: boolean
    alarms: boolean
    enabled: boolean
    /** In this turn it has taken a message from elsewhere, while it refused all of a batch. */
    takesOthers?: true
  }

/** @param without customers who have enough lines already */
async function take(
  { sql, now }: WorkerContext,
  lease: string,
  failing: boolean,
  without: readonly number[],
): Promise<Taken | undefined> {
  const at = now()
  const [taken] = await sql<Taken[]>`
    update north_targets n set lease = ${lease}, leased_until = ${at}::timestamptz + make_interval(secs => ${LEASE_S})
    from projects p
    where p.id = n.project_id and n.id = (select id from north_targets
      where enabled and due_at <= ${at} and (failures > 0) = ${failing} and customer_id <> all(${[...without]}::int[])
        and (leased_until is null or leased_until < ${at})
      order by least(failures, ${PAUSE_S.length}), due_at limit 1 for update skip locked)
    returning n.id, n.customer_id as "customerId", n.lease, n.kind, n.address_sealed as "addressSealed", n.username, n.secret_sealed as "secretSealed", n.topic, n.template,
      n.values, n.alarms, n.enabled, n.stored_by::float8 as "storedBy", n.terminal_id as "terminalId", n.report_at as "reportAt",
      n.alarms_by::float8 as "alarmsBy", n.alarm_id::float8 as "alarmId", n.caught_up_at as "caughtUpAt", n.failures,
      n.fault_status as "faultStatus", p.id as "projectId", p.name as project,
      p.group_id as "groupId"`
  return taken
}

/** `lost`: the target was changed or taken over meanwhile, so this turn is over. */
type Forwarded = 'more' | 'done' | 'lost'

/** Messages from elsewhere that a target is asked with if it refuses all of a batch for the content. */
const OTHERS = { terminals: 12, alarms: 4 } as const

/** Before something that may take as long as a turn does otherwise: another process would begin the same with this target. */
const renewLease = ({ sql, now }: WorkerContext, { id, lease }: Taken) => sql`
  update north_targets set leased_until = ${now()}::timestamptz + make_interval(secs => ${LEASE_S}) where id = ${id} and lease = ${lease}`

/**
 * A target that refuses all of a batch may be set up wrongly; then everything waits. One that takes something else that waits
 * works: its batch is sent once more, and what it refuses is passed over.
 */
async function divide<P>(
  ctx: WorkerContext,
  target: Taken,
  messages: Positioned<P>[],
): Promise<Divided<Positioned<P>>> {
  const sendPart = (part: Message[]) => sendNorth(ctx, target, part)
  try {
    return await sendDivided(messages, sendPart, target, target.takesOthers)
  } catch (failure) {
    const isRefused = failure instanceof NorthFailure && isAboutContent(failure, target)
    if (!isRefused || target.takesOthers) throw failure
    await renewLease(ctx, target)
    const others = [
      ...(target.values ? await readNewest(ctx, target, OTHERS.terminals) : []),
      ...(target.alarms ? await readNewestAlarms(ctx, target, OTHERS.alarms) : []),
    ]
    if (!(await takesOne(others, sendPart))) throw failure
    target.takesOthers = true
    await renewLease(ctx, target)
    return sendDivided(messages, sendPart, target, true)
  }
}

/**
 * Sends what was read. `next`: the position after what is done with, undefined if that is all; `settled`: what the row
 * then says of failures, and of messages that were passed over.
 */
async function send<P>(ctx: WorkerContext, target: Taken, messages: Positioned<P>[]) {
  const { sql, log } = ctx
  const { done, taken, refused } =
    messages.length > 0 ? await divide(ctx, target, messages) : { done: 0, taken: 0, refused: [] }
  const now = ctx.now()
  for (const { message, failure } of refused)
    log.warn(
      {
        target: target.id,
        key: message.key,
        after: message.after,
        status: failure.status,
        err: failure.cause,
      },
      'a target refuses the content of a message: passed over',
    )
  target.failures = 0
  const status = refused[0]?.failure.status ?? null
  const passed =
    refused.length > 0
      ? sql`, passed_count = passed_count + ${refused.length}, passed_at = ${now}::timestamptz, passed_status = ${status}`
      : sql``
  const settled = sql`failures = 0, fault = null, fault_status = null${passed}`
  return { now, taken, settled, next: done < messages.length ? messages[done - 1]?.after : undefined }
}

/**
 * What was read is not sent when it has become old: a
 * gateway may have been moved to another customer since.
 */
async function forwardValues(
  ctx: WorkerContext,
  target: Taken,
  lease: string,
  reader: Reader,
): Promise<Forwarded> {
  const readUntil = performance.now() + READ_FRESH_MS
  const { batches, done } = await readReports(ctx, target, reader)
  for (const { messages, next, isLast } of batches) {
    const { now, taken, settled, next: part } = await send(ctx, target, messages)
    const isDone = done && isLast && part === undefined
    const to = part ?? next
    const saved = await ctx.sql`
      update north_targets set stored_by = ${to.storedBy}, terminal_id = ${to.terminalId}, report_at = ${to.reportAt},
        sent_count = sent_count + ${taken}, sent_at = case when ${taken > 0} then ${now}::timestamptz else sent_at end,
        waiting = ${!isDone}, caught_up_at = case when ${isDone} then ${now}::timestamptz else caught_up_at end,
        ${settled}, leased_until = ${now}::timestamptz + make_interval(secs => ${LEASE_S})
      where id = ${target.id} and lease = ${lease}`
    if (saved.count === 0) return 'lost'
    Object.assign(target, to)
    if (part !== undefined || (!isLast && performance.now() > readUntil)) return 'more'
  }
  return done ? 'done' : 'more'
}

async function forwardAlarms(ctx: WorkerContext, target: Taken, lease: string): Promise<Forwarded> {
  const { messages, next, done } = await readAlarms(ctx, target)
  const sends = messages.length > 0
  const { failures } = target
  const { now, taken, settled, next: part } = await send(ctx, target, messages)
  // Without alarms nothing was sent: what failed are its values.
  if (!sends) target.failures = failures
  const to = part ?? next
  const isDone = done && part === undefined
  // Whether a target that gets values is behind depends on them: they come after the alarms.
  const saved = await ctx.sql`
    update north_targets set alarms_by = ${to.alarmsBy}, alarm_id = ${to.alarmId}, sent_count = sent_count + ${taken},
      sent_at = case when ${taken > 0} then ${now}::timestamptz else sent_at end,
      waiting = ${!isDone} or (values and waiting), caught_up_at = case when ${isDone} and not values then ${now}::timestamptz else caught_up_at end,
      ${sends ? ctx.sql`${settled},` : ctx.sql``} leased_until = ${now}::timestamptz + make_interval(secs => ${LEASE_S})
    where id = ${target.id} and lease = ${lease}`
  if (saved.count === 0) return 'lost'
  Object.assign(target, to)
  return isDone ? 'done' : 'more'
}

async function serve(ctx: WorkerContext, target: Taken, lease: string): Promise<void> {
  const until = performance.now() + TURN_MS
  let pauseS: number = REST_S
  try {
    const reader = openReader()
    while (
      target.alarms &&
      (await forwardAlarms(ctx, target, lease)) === 'more' &&
      performance.now() < until
    );
    while (
      target.values &&
      (await forwardValues(ctx, target, lease, reader)) === 'more' &&
      performance.now() < until
    );
  } catch (error) {
    if (!(error instanceof NorthFailure)) throw error
    ctx.log.warn({ err: error.cause ?? error, target: target.id }, 'a target did not take what was forwarded')
    pauseS = PAUSE_S[Math.min(target.failures, PAUSE_S.length - 1)] ?? 5
    await ctx.sql`
      update north_targets set failures = failures + 1, fault = ${error.fault}, fault_status = ${error.status}, fault_at = ${ctx.now()},
        waiting = true where id = ${target.id} and lease = ${lease}`
  } finally {
    const due = new Date(ctx.now().getTime() + pauseS * 1000)
    await ctx.sql`
      update north_targets set lease = null, leased_until = null, due_at = ${due} where id = ${target.id} and lease = ${lease}`
  }
}

/** While one target does not respond, the run continues for the others. */
export const forwardReportsJob = processor(forwardReports, async (ctx) => {
  const sort = (count: number, failing: boolean) => ({
    count,
    perCustomer: count / 2,
    failing,
    take: async (without: readonly number[]) => {
      const lease = randomUUID()
      const target = await take(ctx, lease, failing, without)
      return target && { customerId: target.customerId, target, lease }
    },
    serve: ({ target, lease }: { target: Taken; lease: string }) => serve(ctx, target, lease),
  })
  const turns = await runLines(RUN_MS, [sort(SIDE_BY_SIDE, false), sort(FAILING_SIDE_BY_SIDE, true)])
  return { turns }
})
