/**
 * Group commit: rows gather while the last group is being committed; each is answered once its group is kept.
 * While the database is away or slow the answers wait; nobody is refused, for that would be a reconnect storm.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Overdue, withinTime } from '#infra/deadline'
import type { Log } from '#infra/log'

/** What waits in all committers together. */
export type Held = { rows: number; bytes: number }

export type Committer<R> = {
  /** `kept(false)`: this row alone cannot be stored, whatever we do. `bytes`: its weight while it waits. */
  add(row: R, bytes: number, kept: (stored: boolean) => void): void
  /** Resolves when nothing waits any more, or after `ms`. */
  drain(ms: number): Promise<void>
  stop(): void
}

type Waiting<R> = { row: R; bytes: number; kept: (stored: boolean) => void }

const BATCH_MAX = 2_500
/** So many waiting open another lane: the database works on one group while the next ones gather. */
const LANE_ROWS = 500
const TROUBLED_AFTER = 4
const RETRY_MS = [100, 200, 400, 800, 1500]

/** Errors that come of the rows themselves: bad values, broken constraints, too complex. All else is worth a retry. */
export const isRowFault = (error: unknown) =>
  /^(22|23|54)/.test(String((error as { code?: unknown }).code)) &&
  (error as { code: string }).code !== '54P01'

export type CommitterOptions<R> = {
  name: string
  /** Stores all rows in one transaction, doing nothing for those stored before. */
  insert(rows: R[]): Promise<unknown>
  log: Log
  /** Told of each kept group. */
  committed(rows: number, seconds: number): void
  held: Held
  /** Groups committed at the same time; more than one where their order says nothing. Default 1. */
  lanes?: number
  /** Called after several failures in a row, and after silence: the connections may be at fault. */
  troubled(): void
  /** An `insert` that has not answered after this never will: the server ends its statements sooner. */
  silentMs: number
}

export function openCommitter<R>(options: CommitterOptions<R>): Committer<R> {
  const { name, insert, log, committed, held, lanes = 1, troubled, silentMs } = options
  let own = 0
  let waiting: Waiting<R>[] = []
  let running = 0
  let stopped = false

  async function store(group: Waiting<R>[]): Promise<void> {
    for (let attempt = 0; !stopped; attempt++) {
      try {
        await withinTime(name, silentMs, insert(group.map((entry) => entry.row)))
        for (const entry of group) answer(entry, true)
        return
      } catch (error) {
        if (isRowFault(error)) return divide(group, error)
        if (attempt === 0) log.warn({ err: error, rows: group.length }, `${name}: acknowledgements wait`)
        if (error instanceof Overdue || attempt % TROUBLED_AFTER === TROUBLED_AFTER - 1) troubled()
        await sleep(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)])
      }
    }
  }

  /** One bad row must not fail its group: halves, until it stands alone. */
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
    entry.kept(stored)
  }

  async function run(): Promise<void> {
    while (waiting.length > 0 && !stopped) {
      const group = waiting.length > BATCH_MAX ? waiting.splice(0, BATCH_MAX) : waiting
      if (group === waiting) waiting = []
      const began = performance.now()
      await store(group)
      committed(group.length, (performance.now() - began) / 1000)
    }
    running--
  }

  return {
    add: (row, bytes, kept) => {
      waiting.push({ row, bytes, kept })
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
