/** BullMQ on PostgreSQL, or on Redis when REDIS_URL is set: one queue, every declared job by its name. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Queue, setDefaultBackendFactory, Worker } from 'bullmq'
import type { z } from 'zod'
import type { Job } from '#schema/kit/job'
import { withinTime } from './deadline.ts'
import type { Log } from './log.ts'
import {
  backend,
  postgresBackend,
  type QueueSettings,
  queueDatabase,
  REDIAL_MS,
  redisAdds,
  refusesPassword,
} from './queue/backend.ts'
import { type Outage, watchOutage } from './queue/outage.ts'

export type JobQueue = {
  /**
   * Enqueues; a `single` job that is waiting already is not added twice. `delayMs` ≥ 0. Rejects if the backend is
   * unavailable.
   */
  add<B extends z.ZodType>(job: Job<B>, body: z.input<B>, options?: { delayMs?: number }): Promise<void>
  /** Jobs added since boot, by name: for metrics and benchmarks. */
  readonly added: ReadonlyMap<string, number>
  /** Whether the backend responds in time. */
  answers(): Promise<boolean>
  close(): Promise<void>
}

export type Processor = (body: unknown) => Promise<unknown>
const QUEUE = 'iot'
const FAILED_KEPT = 500
const ANSWER_MS = 2_000
/** A job that is added later than this is added, but nobody waits for it: calls answer, and its schedule runs it anyway. */
const ADD_MS = 10_000
/** Somewhat longer than the queue's own time limits. */
const CLOSE_MS = 30_000
/** How long a connection may take to be dropped. */
const DROP_MS = 1_000
/** Interval of checking whether the backend still has our schedules. */
const SCHEDULES_MS = 10_000
/** Maximum clock difference between the processes of one installation. */
const CLOCK_SLACK_MS = 30_000

/** Creates the queue tables in PostgreSQL; run once at start, before any process opens the queue. */
export async function prepareQueues(databaseUrl: string): Promise<void> {
  setDefaultBackendFactory(postgresBackend)
  const queue = new Queue(QUEUE, {
    connection: { ...queueDatabase(databaseUrl), migrate: true, max: 1 } as Record<string, unknown>,
  })
  await queue.waitUntilReady()
  await queue.close()
}

/** A clean close needs a response, which an unavailable server does not give: then the connection is dropped. */
async function closed(made: Queue, log: Log): Promise<void> {
  try {
    await withinTime('closing the queue', CLOSE_MS, made.close())
  } catch (error) {
    log.warn({ err: error }, 'queue closed without its backend')
    // Its promise stays open if there is no connection to be dropped.
    await Promise.race([made.disconnect().catch(() => undefined), sleep(DROP_MS, undefined, { ref: false })])
  }
}

/** A Redis that is full, or a replica, still reads. */
const writes = async (made: Queue) => (await made.backend.client).set(made.toKey('answers'), '1')

export function openQueue(settings: QueueSettings, log: Log): JobQueue {
  /**
   * BullMQ 6.7 checks PostgreSQL's tables once; if it was unavailable at that moment, no job could be added any more.
   */
  const open = () => {
    const made = new Queue(QUEUE, { connection: backend(settings, 2, redisAdds) })
    made.on('error', outage.failed)
    // Only of Redis, whose reconnects cause the errors.
    made.backend.on('ready', outage.works)
    if (!settings.redisUrl)
      made.waitUntilReady().catch(() => {
        if (made === opened) opened = null
        void closed(made, log)
      })
    return made
  }
  const outage = watchOutage(log, 'queue backend')
  let opened: Queue | null = null
  const queue = () => {
    opened ??= open()
    return opened
  }
  queue()
  const added = new Map<string, number>()
  return {
    added,
    add: async (job, body, options = {}) => {
      const parsed = job.body.parse(body)
      const adding = queue().add(job.name, parsed, {
        attempts: job.attempts,
        backoff: { type: 'exponential', delay: 1000 },
        // Keeping a number of completed jobs makes every completion delete rows of others, and two of them then
        // deadlock.
        removeOnComplete: true,
        removeOnFail: { count: FAILED_KEPT },
        ...(options.delayMs ? { delay: options.delayMs } : {}),
        ...(job.single ? { deduplication: { id: job.name, keepLastIfActive: true } } : {}),
      })
      // A Redis that is frozen or cut off keeps its connections. PostgreSQL has its own limits.
      await (settings.redisUrl ? withinTime('adding a job', settings.addMs ?? ADD_MS, adding) : adding)
      outage.works()
      added.set(job.name, (added.get(job.name) ?? 0) + 1)
    },
    answers: async () => {
      const late = sleep(ANSWER_MS, false, { ref: false })
      const asked = (settings.redisUrl ? writes(queue()) : queue().getJobSchedulersCount()).then(
        () => true,
        () => false,
      )
      return Promise.race([asked, late])
    },
    close: async () => {
      if (opened) await closed(opened, log)
    },
  }
}

/**
 * A `single` job runs once at a time in this process, whether it was enqueued or scheduled: otherwise runs that last longer than the
 * job's interval would take all places of the worker. A scheduled run is left out meanwhile; one that was enqueued makes the
 * present run begin again when it is over.
 */
function oneAtATime(job: Job, run: (body: unknown) => Promise<unknown>, log: Log, isClosing: () => boolean) {
  let running = false
  let again = false
  return async (body: unknown, isScheduled: boolean): Promise<unknown> => {
    if (!job.single) return run(body)
    if (running) {
      again ||= !isScheduled
      return undefined
    }
    running = true
    try {
      for (;;) {
        again = false
        const result = await run(body).catch((error: unknown) => {
          // What was enqueued meanwhile is not lost with this run, and shows whether the next one fails as well.
          if (!again || isClosing()) throw error
          log.error({ err: error, job: job.name }, 'job failed')
        })
        if (!again || isClosing()) return result
      }
    } finally {
      running = false
    }
  }
}

/** BullMQ 6.7 asks again at once where its backend refuses to give a job: a full Redis, a read-only PostgreSQL. */
function pauseAfterRefusals(worker: Worker, outage: Outage): void {
  const asking = worker as unknown as { _getNextJob(...given: unknown[]): Promise<unknown> }
  const ask = asking._getNextJob.bind(worker)
  asking._getNextJob = (...given) =>
    ask(...given).then(
      (job) => {
        // Without a job it may only have waited for one, and BullMQ ends a wait that failed like one in which nothing came.
        if (job) outage.works()
        return job
      },
      (error: unknown) => sleep(REDIAL_MS).then(() => Promise.reject(error)),
    )
}

/**
 * Runs processors and the schedules of the declared jobs. Jobs are short and repeatable; the job of a killed worker
 * is taken over when its lock expires (30 s), and the scheduled sweepers repair the rest.
 */
export async function runWorker(
  settings: QueueSettings,
  jobs: readonly { job: Job; run: Processor }[],
  log: Log,
): Promise<{ close(): Promise<void>; processed: ReadonlyMap<string, number> }> {
  const schedules = new Queue(QUEUE, { connection: backend(settings, 1, redisAdds) })
  const outage = watchOutage(log, 'queue backend for workers')
  const { promise: refusal, reject: refused } = Promise.withResolvers<never>()
  schedules.on('error', (error) => {
    if (refusesPassword(error)) refused(error)
    outage.failed(error)
  })
  const processed = new Map<string, number>()
  let closing = false
  const byName = new Map(
    jobs.map(({ job, run }) => {
      const { name, deadlineMs } = job
      const inTime = (body: unknown) => withinTime(`job ${name}`, deadlineMs, run(body))
      return [name, { job, run: oneAtATime(job, inTime, log, () => closing) }]
    }),
  )
  // A job that was periodic in an older version: its runs would fail forever. Removed before the worker starts, which
  // would create the next run.
  // Redis is waited for, but not one that needs another password: the start fails.
  const known = await Promise.race([schedules.getJobSchedulers(), refusal]).catch(async (error) => {
    await closed(schedules, log)
    throw error
  })
  for (const { key } of known)
    if (byName.get(key)?.job.everyMs === undefined) await schedules.removeJobScheduler(key)
  const worker = new Worker(
    QUEUE,
    async (taken) => {
      const entry = byName.get(taken.name)
      // A job of an older version left in the queue: it is kept as failed and visible, never silently dropped.
      if (!entry) throw new Error(`no processor for job ${taken.name}`)
      const result = await entry.run(entry.job.body.parse(taken.data), taken.repeatJobKey !== undefined)
      processed.set(taken.name, (processed.get(taken.name) ?? 0) + 1)
      return result
    },
    { connection: backend(settings, 4), concurrency: 8, lockDuration: 30_000, maxStalledCount: 5 },
  )
  pauseAfterRefusals(worker, outage)
  worker.on('error', outage.failed)
  worker.on('failed', (taken, error) => log.error({ err: error, job: taken?.name }, 'job failed'))
  const schedule = ({ name, everyMs: every }: Job) =>
    schedules.upsertJobScheduler(
      name,
      { every: every ?? 0 },
      { name, data: {}, opts: { removeOnComplete: true, removeOnFail: { count: FAILED_KEPT } } },
    )
  const periodic = jobs.map(({ job }) => job).filter(({ everyMs }) => everyMs !== undefined)
  for (const job of periodic) await schedule(job)
  // A room that cannot process jobs must not appear healthy: it is restarted.
  await worker.waitUntilReady()

  /**
   * A Redis that came back empty has no schedules: without them no periodic job would ever run again [threats 43].
   */
  async function restoreSchedules(): Promise<void> {
    const known = await schedules.getJobSchedulers()
    const turns = new Map(known.map(({ key, next }) => [key, next]))
    for (const job of periodic) {
      const lost = !turns.has(job.name)
      // Its next run was computed by a clock that has been set back since: it would pause until that time comes
      // again.
      const asleep = (turns.get(job.name) ?? 0) > Date.now() + (job.everyMs ?? 0) + CLOCK_SLACK_MS
      if (!lost && !asleep) continue
      log.warn({ job: job.name }, `its schedule was ${lost ? 'lost' : 'asleep'} and is made anew`)
      if (asleep) await schedules.removeJobScheduler(job.name)
      await schedule(job)
    }
  }
  let looking = false
  const timer = setInterval(() => {
    if (looking) return
    looking = true
    restoreSchedules()
      .catch(outage.failed)
      .finally(() => {
        looking = false
      })
  }, settings.schedulesMs ?? SCHEDULES_MS)
  return {
    processed,
    close: async () => {
      clearInterval(timer)
      closing = true
      await worker.close()
      await closed(schedules, log)
    },
  }
}
