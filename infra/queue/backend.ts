/** How BullMQ reaches its backend, PostgreSQL or Redis, and what a silent, absent or read-only one means for it. */
import { createPostgresBackend, createRedisBackend, setDefaultBackendFactory } from 'bullmq'
import { retryDeadlocks } from '../deadlock.ts'
import { poolTarget } from '../settings/database-url.ts'
import { openWire } from '../wire.ts'

export type QueueSettings = {
  databaseUrl: string
  redisUrl?: string | undefined
  /** Interval of checking the schedules; for tests. */
  schedulesMs?: number
  /** PostgreSQL's time limit for statements of the queue; for tests. */
  answerMs?: number
  /** How long adding a job to Redis may take; for tests. */
  addMs?: number
}

/** Adding a job fails immediately while Redis is down; workers wait for it. */
export const redisAdds = { enableOfflineQueue: false, maxRetriesPerRequest: 1 }
const redisWorks = { maxRetriesPerRequest: null }
/** BullMQ's own pauses grow to 20 s: upgrades and alarms would wait for so long after Redis is back. */
export const REDIAL_MS = 1_000
/** The address leads to another Redis now, and the former one, a replica of it, keeps its connections. */
export const isReplica = (error: Error): boolean => error.message.includes('READONLY')
/** Redis does not accept the password in REDIS_URL, or lack of one. */
export const refusesPassword = (error: unknown): boolean =>
  error instanceof Error && /^(NOAUTH|WRONGPASS) /.test(error.message)

/** For PostgreSQL, whose queue tables are small: statements, transactions, connecting, waiting for a connection. */
const QUEUE_ANSWER_MS = 20_000

/** Without these a silent connection would block the worker forever [decision 063]. */
const withTimeouts = (answerMs: number) => ({
  statement_timeout: answerMs,
  idle_in_transaction_session_timeout: answerMs,
  connectionTimeoutMillis: answerMs,
  query_timeout: answerMs * 1.25,
  keepAlive: true,
  // A listening connection may legitimately be silent for hours.
  stream: () => openWire({ ms: answerMs * 1.25, ends: 'unanswered' }),
})

type BackendFactory = Parameters<typeof setDefaultBackendFactory>[0]
type Pool = { query(text: string, params?: unknown[]): Promise<unknown> }

/**
 * BullMQ 6.7 treats a deadlock of the statement that completes a job as a failure of the job: the job would run a
 * second time, or, as a scheduled run, be kept as failed. Each of its operations is one statement, so it can be
 * retried.
 */
export const postgresBackend = ((...given: Parameters<typeof createPostgresBackend>) => {
  const made = createPostgresBackend(...given) as { connection: { pool: Pool } }
  const { pool } = made.connection
  const query = pool.query.bind(pool)
  pool.query = (text, params) => retryDeadlocks(() => query(text, params))
  return made
}) as unknown as BackendFactory

/** Where PostgreSQL is, for BullMQ, whose tables have a schema of their own. */
export const queueDatabase = (databaseUrl: string) => ({ ...poolTarget(databaseUrl), schema: 'bullmq' })

/** Connection options of BullMQ; `max` connections to PostgreSQL. */
export function backend(
  { databaseUrl, redisUrl, answerMs = QUEUE_ANSWER_MS }: QueueSettings,
  max: number,
  redis: object = redisWorks,
) {
  setDefaultBackendFactory(redisUrl ? (createRedisBackend as BackendFactory) : postgresBackend)
  return (
    redisUrl
      ? { url: redisUrl, retryStrategy: () => REDIAL_MS, reconnectOnError: isReplica, ...redis }
      : { ...queueDatabase(databaseUrl), migrate: false, max, ...withTimeouts(answerMs) }
  ) as Record<string, unknown>
}
