/**
 * Group commit: while one group is being committed, further rows collect into the next. Each row's callback
 * is called once its group is committed. While the database is unavailable or slow, acknowledgements wait; no
 * connection is refused, because that would cause a reconnect storm.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Overdue, withinTime } from '#infra/deadline'
import type { Log } from '#infra/log'
import { watchOutage } from '#infra/queue/outage'

/** Total of the rows waiting in all committers. */
export type Held = { rows: number; bytes: number }

/**
 * What waits for a row. An object rather than a function: a message's place in the order of acknowledgements exists anyway, and a
 * closure for each of 100,000 messages a second would be garbage that survives until the commit.
 */
export type Waiter = {
  /** The row is committed; false: it cannot be stored at all. */
  kept(stored: boolean): void
}

export type Committer<R> = {
  /** `bytes` is the size of the row while it waits. */
  add(row: R, bytes: number, waits: Waiter): void
  /** Resolves when nothing is waiting any more, or after `ms`. */
  drain(ms: number): Promise<void>
  stop(): void
}

type Waiting<R> = { row: R; bytes: number; waits: Waiter }

const BATCH_MAX = 2_500
/**
 * When this many rows wait, another lane opens: the database works on one group while the next ones collect.
 */
const LANE_ROWS = 500
const RECONNECT_AFTER = 4
const RETRY_MS = [100, 200, 400, 800, 1500]

/**
 * Errors caused by the rows themselves: invalid values, violated constraints, statements too complex. All
 * others are worth a retry.
 */
export const isRowFault = (error: unknown) =>
  /^(22|23|54)/.test(String((error as { code?: unknown }).code)) &&
  (error as { code: string }).code !== '54P01'

export type CommitterOptions<R> = {
  name: string
  /** Stores all rows in one transaction; rows that are stored already are skipped. */
  insert(rows: R[]): Promise<unknown>
  log: Log
  /** Called after each committed group. */
  committed(rows: number, seconds: number): void
  held: Held
  /**
   * Number of groups committed concurrently; more than one only where the order of rows does not matter.
   * Default 1.
   */
  lanes?: number
  /** How long rows are gathered before each group; they are acknowledged so much later. Default 0. */
  gatherMs?: number
  /**
   * Called after several consecutive failures, and after a silent connection: the connections may be broken.
   */
  reconnect(): void
  /**
   * Time after which an `insert` without a response never will respond: the server ends its statements
   * sooner.
   */
  silentMs: number
}

export function openCommitter<R>(options: CommitterOptions<R>): Committer<R> {
  const { name, insert, log, committed, held, lanes = 1, gatherMs = 0, reconnect, silentMs } = options
  const outage = watchOutage(log, `${name}: acknowledgements wait`)
  let own = 0
  let waiting: Waiting<R>[] = []
  let running = 0
  let stopped = false

  async function store(group: Waiting<R>[]): Promise<void> {
    for (let attempt = 0; !stopped; attempt++) {
      try {
        await withinTime(name, silentMs, insert(group.map((entry) => entry.row)))
        outage.works()
        for (const entry of group) answer(entry, true)
        return
      } catch (error) {
        if (isRowFault(error)) return divide(group, error)
        outage.failed(error instanceof Error ? error : new Error(String(error)))
        if (error instanceof Overdue || attempt % RECONNECT_AFTER === RECONNECT_AFTER - 1) reconnect()
        await sleep(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)])
      }
    }
  }

  /** One bad row must not fail its group: the group is halved until the bad row is alone. */
  async function divide(group: Waiting<R>[], error: unknown): Promise<void> {
    if (group.length > 1) {
      const middle = group.length >> 1
      await store(group.slice(0, middle))
      return store(group.slice(middle))
    }
    log.warn({ err: error }, `${name}: a row cannot be stored`)
    for (const entry of group) answer(entry, false)
  }

  function answer(entry: Waiting<R>, stored: boolean): void {
    own--
    held.rows--
    held.bytes -= entry.bytes
    entry.waits.kept(stored)
  }

  async function run(): Promise<void> {
    while (waiting.length > 0 && !stopped) {
      if (gatherMs > 0 && waiting.length < BATCH_MAX) await sleep(gatherMs)
      const group = waiting.length > BATCH_MAX ? waiting.splice(0, BATCH_MAX) : waiting
      if (group === waiting) waiting = []
      const began = performance.now()
      await store(group)
      committed(group.length, (performance.now() - began) / 1000)
    }
    running--
  }

  return {
    add: (row, bytes, waits) => {
      waiting.push({ row, bytes, waits })
      own++
      held.rows++
      held.bytes += bytes
      if (running >= lanes || waiting.length < running * LANE_ROWS) return
      running++
      setImmediate(() => void run())
    },
    drain: async (ms) => {
      for (const until = performance.now() + ms; own > 0 && performance.now() < until; ) await sleep(10)
    },
    stop: () => {
      stopped = true
    },
  }
}
