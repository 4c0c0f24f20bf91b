/** Work for the queue. Jobs only move rows that Postgres holds; each may run twice or late without harm. */
import type { z } from 'zod'
import { ofKind } from './kind.ts'

export type Job<B extends z.ZodType = z.ZodType> = {
  readonly kind: 'job'
  /** Imperative; the processor is exported from workers/jobs. */
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
}

/** Declares one job. */
export function job<B extends z.ZodType>(d: {
  name: string
  body: B
  attempts?: number
  everyMs?: number
  single?: boolean
}): Job<B> {
  return { kind: 'job', attempts: 5, single: false, ...d }
}

export const isJob = ofKind<Job>('job')
