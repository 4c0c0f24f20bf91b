/**
 * Maker of a job's processor: the declaration, and the code to run. It may run twice or late without harm.
 */
import type { z } from 'zod'
import type { Context } from '#infra/context'
import type { DeviceLine } from '#infra/service-mqtt'
import type { Job } from '#schema/kit/job'
import { ofKind } from '#schema/kit/kind'

export type { Transaction } from '#infra/postgres'

/** `line` sends messages to devices. */
export type WorkerContext = Context & { line: DeviceLine }

export type JobProcessor = {
  readonly kind: 'processor'
  readonly job: Job
  /** The body is parsed. The queue keeps the result, for people to read. */
  readonly run: (ctx: WorkerContext, body: unknown) => Promise<unknown>
}

export function processor<B extends z.ZodType>(
  job: Job<B>,
  run: (ctx: WorkerContext, body: z.output<B>) => Promise<unknown>,
): JobProcessor {
  return { kind: 'processor', job, run: (ctx, body) => run(ctx, body as z.output<B>) }
}

export const isProcessor = ofKind<JobProcessor>('processor')
