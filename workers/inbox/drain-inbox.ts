/**
 * Turns reports into rows: batches in arrival order, one drainer at a time; idempotent, because inbox rows
 * are deleted in the transaction that applies them.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { gatherSubjects } from '#infra/gather'
import { driveCommands } from '#schema/command/command'
import { sendMails } from '#schema/platform/mail'
import { dispatchTasks, drainInbox, sweepTasks } from '#schema/task/task'
import { lockSoon } from '../kit/lock-soon.ts'
import { processor, type Transaction, type WorkerContext } from '../kit/processor.ts'
import { isReport, type Report } from '../kit/report.ts'
import { publishAll } from '../task/publish-all.ts'
import { handleBatch, type InboxRow, type Outcome } from './apply-batch.ts'

const BATCH = 1000
const LOCK = 7310
/**
 * Gathered at the first run: at load time this module would wait for itself, as it is one of the gathered
 * modules.
 */
let gathered: Promise<ReadonlyMap<string, Report>> | undefined
function reports(): Promise<ReadonlyMap<string, Report>> {
  gathered ??= readReports()
  return gathered
}
const readReports = async () =>
  new Map(
    (await gatherSubjects(new URL('../', import.meta.url), isReport)).map((found) => [
      found.uplink.name,
      found,
    ]),
  )

/**
 * Whether the rows are at fault, not the database: one row twice in a statement (class 21), data and constraints (22, 23), what
 * is too long for an index (54); or a bug in our code.
 */
function isPoison(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return /^(2[123]|54)/.test(error.code)
  // Node's checks of arguments have a code, as what a socket or a file reports.
  const isBug = error instanceof TypeError || error instanceof RangeError
  return isBug || !(error instanceof Error && 'code' in error)
}

const read = (tx: Transaction, limit: number) => tx<InboxRow[]>`
  select id, device_id as "deviceId", name, payload, received_at as "receivedAt" from inbox order by id limit ${limit}`

type Handled = Outcome & { rows: number }
const NOTHING: Handled = { rows: 0, outgoing: [], tasks: false, commands: false, paused: 0 }

function drainSome(ctx: WorkerContext, limit: number, note: (first: number) => void = () => undefined) {
  return ctx.sql.begin(async (tx) => {
    // Another drainer may already have checked for the last time: it is waited for, so that this wake-up is not lost.
    if (!(await lockSoon(tx, tx`${LOCK}::bigint`))) return NOTHING
    const rows = await read(tx, limit)
    note(rows[0]?.id ?? 0)
    if (rows.length === 0) return NOTHING
    return { rows: rows.length, ...(await handleBatch(ctx, tx, await reports(), rows)) }
  })
}

/** Handles only the oldest row; if it still fails, it is set aside with a warning for people to read. */
async function drainOne(ctx: WorkerContext): Promise<Handled> {
  let first = 0
  try {
    return await drainSome(ctx, 1, (id) => {
      first = id
    })
  } catch (error) {
    if (!isPoison(error)) throw error
    ctx.log.error({ err: error }, 'a report could not be stored and was set aside')
    await ctx.sql`
      with bad as (delete from inbox where id = ${first} returning device_id, name, received_at)
      insert into device_warnings (device_id, at, what, detail)
      select device_id, received_at, 'unreadableReport', left(name, 64) from bad`
    return { ...NOTHING, rows: 1 }
  }
}

/** Wakes work that can continue now; while rounds follow each other, at most at this interval. */
const WAKE_MS = 250

function openWakes({ queue }: Pick<WorkerContext, 'queue'>) {
  const due = { tasks: false, commands: false, paused: false }
  let wokenAt = Number.NEGATIVE_INFINITY
  return {
    note: ({ tasks, commands, paused }: Handled) => {
      due.tasks ||= tasks
      due.commands ||= commands
      due.paused ||= paused > 0
    },
    wake: async (atOnce = false) => {
      if (!atOnce && performance.now() - wokenAt < WAKE_MS) return
      const { tasks, commands, paused } = due
      if (!tasks && !commands && !paused) return
      wokenAt = performance.now()
      Object.assign(due, { tasks: false, commands: false, paused: false })
      if (paused) await Promise.all([queue.add(sweepTasks, {}), queue.add(sendMails, {})])
      if (tasks) await queue.add(dispatchTasks, {})
      if (commands) await queue.add(driveCommands, {})
    },
  }
}

/**
 * While reports keep coming they are handled at this interval: a round costs some fifteen statements, however few reports
 * it finds.
 */
const ROUND_MS = 100
/** If reports never stop arriving, a run ends after this time and leaves the rest to the next one. */
const RUN_MS = 10_000

type Run = { again: boolean }
/** The current run of each process: a wake-up during it makes it check once more instead of starting another run. */
const running = new WeakMap<WorkerContext, Run>()

async function drain(ctx: WorkerContext, run: Run): Promise<number> {
  const sends: Promise<unknown>[] = []
  const wakes = openWakes(ctx)
  const startedAt = performance.now()
  let total = 0
  let single = 0
  for (let round = 0; ; round++) {
    const roundAt = performance.now()
    run.again = false
    let handled: Handled
    try {
      handled = single > 0 ? await drainOne(ctx) : await drainSome(ctx, BATCH)
    } catch (error) {
      if (single > 0 || !isPoison(error)) throw error
      // One bad row must not fail its batch: handle one row at a time for the length of a batch.
      single = BATCH
      continue
    }
    total += handled.rows
    wakes.note(handled)
    if (handled.outgoing.length > 0) sends.push(publishAll(ctx, handled.outgoing))
    const over = roundAt - startedAt > RUN_MS
    if (over || (handled.rows === 0 && !run.again)) {
      // Before anything is awaited: from here on a wake-up starts a run of its own.
      running.delete(ctx)
      if (handled.rows > 0 || run.again) await ctx.queue.add(drainInbox, {})
      break
    }
    await wakes.wake()
    const restMs = roundAt + ROUND_MS - performance.now()
    // The second round finds what has arrived during the first, mostly nothing: then it is the last one.
    if (round > 0 && single === 0 && handled.rows < BATCH && restMs > 0) await sleep(restMs)
    single = Math.max(0, single - 1)
  }
  await wakes.wake(true)
  await Promise.all(sends)
  return total
}

export const drainInboxJob = processor(drainInbox, async (ctx) => {
  const other = running.get(ctx)
  if (other) {
    other.again = true
    return { total: 0 }
  }
  const run = { again: false }
  running.set(ctx, run)
  try {
    return { total: await drain(ctx, run) }
  } finally {
    if (running.get(ctx) === run) running.delete(ctx)
  }
})
