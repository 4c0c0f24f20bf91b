/**
 * Turns reports into rows: batches in arrival order, one drainer at a time; idempotent, because inbox rows
 * are deleted in the transaction that applies them.
 */
import postgres from 'postgres'
import { gatherSubjects } from '#infra/gather'
import { driveCommands } from '#schema/command/command'
import { sendMails } from '#schema/platform/mail'
import { dispatchTasks, drainInbox, sweepTasks } from '#schema/task/task'
import { processor, type Transaction, type WorkerContext } from '../kit/processor.ts'
import { isReport, type Report } from '../kit/report.ts'
import { publishAll } from '../task/publish-all.ts'
import { handleBatch, type InboxRow } from './apply-batch.ts'
import type { Told } from './batch-state.ts'

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

/** Whether the rows are at fault, not the database: data or constraint errors, or a bug in our code. */
function isPoison(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return /^2[23]/.test(error.code)
  return !(error instanceof Error && 'code' in error)
}

const read = (tx: Transaction, limit: number) => tx<InboxRow[]>`
  select id, device_id as "deviceId", name, payload, received_at as "receivedAt" from inbox order by id limit ${limit}`

/** Returns false if another drainer holds the lock for longer than a batch takes. */
async function tryLock(tx: Transaction): Promise<boolean> {
  const [lock] = await tx<{ got: boolean }[]>`select pg_try_advisory_xact_lock(${LOCK}) as got`
  if (lock?.got) return true
  // The other one may already have checked for the last time: wait for it, so that this wake-up is not lost.
  await tx`set local lock_timeout = '5s'`
  try {
    await tx.savepoint((inner) => inner`select pg_advisory_xact_lock(${LOCK})`)
    return true
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.code === '55P03') return false
    throw error
  }
}

type Handled = { rows: number; told: Told[]; dispatch: boolean; paused: number }

function drainSome(ctx: WorkerContext, limit: number, note: (first: number) => void = () => undefined) {
  return ctx.sql.begin(async (tx) => {
    const nothing = { rows: 0, told: [], dispatch: false, paused: 0 }
    if (!(await tryLock(tx))) return nothing
    const rows = await read(tx, limit)
    note(rows[0]?.id ?? 0)
    if (rows.length === 0) return nothing
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
    return { rows: 1, told: [], dispatch: false, paused: 0 }
  }
}

export const drainInboxJob = processor(drainInbox, async (ctx) => {
  const sends: Promise<unknown>[] = []
  let total = 0
  let dispatch = false
  let paused = 0
  let single = 0
  for (;;) {
    let handled: Handled
    try {
      handled = single > 0 ? await drainOne(ctx) : await drainSome(ctx, BATCH)
    } catch (error) {
      if (single > 0 || !isPoison(error)) throw error
      // One bad row must not fail its batch: handle one row at a time for the length of a batch.
      single = BATCH
      continue
    }
    if (handled.rows === 0) break
    single = Math.max(0, single - 1)
    total += handled.rows
    dispatch ||= handled.dispatch
    paused += handled.paused
    if (handled.told.length > 0) sends.push(publishAll(ctx, handled.told))
  }
  if (paused > 0) {
    await ctx.queue.add(sweepTasks, {})
    await ctx.queue.add(sendMails, {})
  }
  if (dispatch) {
    await ctx.queue.add(dispatchTasks, {})
    await ctx.queue.add(driveCommands, {})
  }
  await Promise.all(sends)
  return { total }
})
