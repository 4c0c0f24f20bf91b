/** What every server room gets as context; tests pass another one instead of mocking modules. */
import type { Env } from './env.ts'
import { openFiles } from './files/open.ts'
import type { FileStore } from './files/store.ts'
import { type Log, openLog } from './log.ts'
import { type Metrics, openMetrics } from './metrics.ts'
import { openParameters, type Parameters } from './parameters.ts'
import { ANSWER_MS, type DatabasePool, OTHER_ANSWER_MS, openDatabase } from './postgres.ts'
import { type JobQueue, openQueue } from './queue.ts'

export type Context = {
  env: Env
  /** Resolved: the embedded or the configured database. */
  databaseUrl: string
  log: Log
  db: DatabasePool['db']
  sql: DatabasePool['sql']
  queue: JobQueue
  files: FileStore
  metrics: Metrics
  /** Settings that users change at run time: schema/platform/parameter-list.ts. */
  parameters: Parameters
  now(): Date
  close(): Promise<void>
}

/** Opens what a room needs, lazily where possible. `databaseUrl` as in DATABASE_URL or as found by the launcher. */
export function openContext(room: string, env: Env, databaseUrl: string): Context {
  const log = openLog(room, env.LOG_LEVEL)
  const pool = openDatabase(databaseUrl, {
    applicationName: `iot-${room}`,
    max: room === 'api' ? 8 : 5,
    answerMs: ANSWER_MS[room] ?? OTHER_ANSWER_MS,
  })
  const files = openFiles(env)
  const queue = openQueue({ databaseUrl, redisUrl: env.REDIS_URL }, log)
  return {
    env,
    databaseUrl,
    log,
    db: pool.db,
    sql: pool.sql,
    queue,
    files,
    metrics: openMetrics(room),
    parameters: openParameters(pool.sql),
    now: () => new Date(),
    close: async () => {
      await queue.close()
      await pool.close()
      files.close()
    },
  }
}
