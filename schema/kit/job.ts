/** Work for the queue. Jobs only move rows that Postgres holds; each may run twice or late without harm. */
import type { z } from 'zod'
import { ofKind } from './kind.ts'

export type Job<B extends z.ZodType = z.ZodType> = {
  readonly kind: 'job'
  /** Imperative; the processor is exported from a subject folder of workers/. */
  readonly name: string
  readonly body: B
  /** Tries before it is kept as failed; backoff is exponential from 1 s. Default 5. */
  readonly attempts: number
  /** Also run by the scheduler at this interval in ms, which makes up for lost wake-ups. */
  readonly everyMs?: number
  /**
   * At most one active in each worker process, and one waiting: a wake-up during a run starts exactly one more run after it, and
   * scheduled runs are left out meanwhile. For jobs with an empty body.
   */
  readonly single: boolean
  /** A longer run has failed and is retried; its remaining work must do no harm. Default ten minutes. */
  readonly deadlineMs: number
}

/** Ten minutes: all database operations of a job time out earlier. */
const DEADLINE_MS = 600_000
/** For jobs that process everything available, or wait for external servers. */
export const LONG_DEADLINE_MS = 3_600_000

/** Declares one job. */
export function job<B extends z.ZodType>(d: {
  name: string
  body: B
  attempts?: number
  everyMs?: number
  single?: boolean
  deadlineMs?: number
}): Job<B> {
  return { kind: 'job', attempts: 5, single: false, deadlineMs: DEADLINE_MS, ...d }
}

export const isJob = ofKind<Job>('job')
