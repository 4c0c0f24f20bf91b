/**
 * Which sessions at the external broker this process serves. Each is served by one process at a time, and taken over by
 * another when that one dies: messages queued in a session are delivered to it only [decisions/138].
 */
import type { Context } from '#infra/context'
import { openDatabase } from '#infra/postgres'

/** First key of the advisory locks; the second is the number of the session, 0 is held by each process. */
const INGEST_LOCK = 7303
const LOOK_MS = 1_000
const ANSWER_MS = 5_000

/** How many of `sessions` each process should serve, given the number of processes. */
export const fairShare = (sessions: number, processes: number): number =>
  Math.ceil(sessions / Math.max(1, processes))

type Look = { mine: number[]; free: number[]; processes: number }

/** Calls `serve` for each session that becomes ours; the returned function ends that, before another process begins. */
export async function shareSessions(
  context: Pick<Context, 'databaseUrl' | 'log' | 'env'>,
  serve: (session: number) => () => Promise<void>,
) {
  const { databaseUrl, log, env } = context
  const count = env.EXTERNAL_MQTT_SESSIONS
  // One connection: locks live as long as it does.
  const open = () =>
    openDatabase(databaseUrl, { applicationName: 'iot-ingest-sessions', max: 1, answerMs: ANSWER_MS })
  let pool = open()
  const served = new Map<number, () => Promise<void>>()

  async function look(): Promise<Look> {
    const [row] = await pool.sql<Look[]>`
      with held as (
        select objid::bigint as n, pid from pg_locks where locktype = 'advisory' and classid::bigint = ${INGEST_LOCK}
          and objsubid = 2 and granted and database = (select oid from pg_database where datname = current_database()))
      select array(select n::int from held where pid = pg_backend_pid() and n > 0 order by n) as mine,
        array(select n::int from generate_series(1, ${count}::int) n where not exists (select 1 from held h where h.n = n.n)) as free,
        (select count(distinct pid)::int from held where n = 0) as processes`
    return row ?? { mine: [], free: [], processes: 1 }
  }

  async function round(): Promise<void> {
    await pool.sql`
      select case when exists (select 1 from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
          and classid::bigint = ${INGEST_LOCK} and objid = 0 and objsubid = 2)
        then true else pg_try_advisory_lock_shared(${INGEST_LOCK}::int, 0) end`
    const { mine, free, processes } = await look()
    const share = fairShare(count, processes)
    for (const [session, end] of served)
      if (!mine.includes(session)) {
        // The connection that held the lock has broken, and another process may serve it.
        served.delete(session)
        await end()
      }
    for (const session of mine.slice(share)) {
      await served.get(session)?.()
      served.delete(session)
      await pool.sql`select pg_advisory_unlock(${INGEST_LOCK}::int, ${session}::int)`
    }
    for (const session of free.slice(0, Math.max(0, share - mine.length))) {
      const [row] = await pool.sql<{ got: boolean }[]>`
        select pg_try_advisory_lock(${INGEST_LOCK}::int, ${session}::int) as got`
      if (row?.got) mine.push(session)
    }
    for (const session of mine.slice(0, share)) if (!served.has(session)) served.set(session, serve(session))
  }

  let running: Promise<void> | null = null
  const turn = () => {
    running ??= round()
      .catch((error: unknown) => {
        // Sessions stay served: nothing can be committed, so nothing is acknowledged.
        log.warn({ err: error }, 'sessions of the external broker')
        void pool.close().catch(() => undefined)
        pool = open()
      })
      .finally(() => {
        running = null
      })
    return running
  }
  await turn()
  const timer = setInterval(() => void turn(), LOOK_MS)
  return {
    served: () => [...served.keys()],
    close: async () => {
      clearInterval(timer)
      await running
      await Promise.all([...served.values()].map((end) => end()))
      await pool.close()
    },
  }
}
