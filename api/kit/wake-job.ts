import type { Job } from '#schema/kit/job'
import type { CallContext } from './handler.ts'

/**
 * Wakes a job whose rows are committed. If the queue is unavailable, the job's own schedule finds them a little
 * later.
 */
export async function wake(ctx: Pick<CallContext, 'queue' | 'log'>, job: Job): Promise<void> {
  try {
    await ctx.queue.add(job, {})
  } catch (error) {
    ctx.log.warn({ err: error, job: job.name }, 'not woken, the schedule will find it')
  }
}
