/** Work for the queue. Jobs only move rows that Postgres holds; each may run twice or late without harm. */
import type { z } from 'zod'
import { ofKind } from './kind.ts'

export type Job<B extends z.ZodType = z.ZodType> = {
  readonly kind: 'job'
  /** Imperative; the processor is exported from a subject folder of workers/. */
  readonly name: string
  readonly body: B
  /** Tries before it is parked as failed; backoff is exponential from 1 s. Default 5. */
  readonly attempts: number
  /** Also run by the scheduler every so many milliseconds: the sweeper that heals lost wake-ups. */
  readonly everyMs?: number
  /**
   * At most one active and one waiting: a wake-up that comes while one runs starts exactly one more after it.
   * For jobs whose body says nothing ("look again").
   */
  readonly single: boolean
  /** A run that takes longer has failed and is tried again; what it still does must do no harm. Default ten minutes. */
  readonly deadlineMs: number
}

/** Ten minutes: all that a job asks of the database ends sooner. */
const DEADLINE_MS = 600_000
/** For jobs that go through as much as there is, or wait for others' servers. */
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
