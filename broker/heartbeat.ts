/**
 * Shows that this broker is alive, in Postgres: a heartbeat, and a lock that is released when the process
 * ends.
 */
import type { Context } from '#infra/context'
import { openDatabase } from '#infra/postgres'
import { BROKER_LOCK, sweepLostBrokers } from '#infra/presence'
import { BROKER_BEAT_MS, BROKER_LOST_MS } from '#schema/platform/upkeep'
import type { Fleet } from './fleet.ts'
import type { Presence } from './presence.ts'

/**
 * `shared`: the id is that of an external broker. Several processes send its heartbeat, each while it is connected, and
 * devices stay connected when one of them ends. After all of them were silent it counts as restarted: if the broker was
 * down, its devices need time to return [decisions/011].
 */
type Shared = { connected(): boolean }

/**
 * Our own broker counts as restarted after this silence, as it seems when the clock of the server is set forward: deadlines
 * have passed that nobody had the time to keep [decisions/061].
 */
const GAP_MS = 60_000

/**
 * A heartbeat that is neither sent nor refused by then is given up, whatever its connection waits for: on a machine that stood still for minutes one
 * never ended, and all devices of the broker stayed offline although they were connected.
 */
const GIVEN_UP_MS = 2 * BROKER_LOST_MS

async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no end after ${GIVEN_UP_MS / 1000} s`)), GIVEN_UP_MS)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

export async function startHeartbeat(context: Context, brokerId: string, shared?: Shared) {
  const { log, databaseUrl } = context
  // A separate connection: the lock lives as long as it does, and the heartbeat never waits for other work.
  const open = () =>
    openDatabase(databaseUrl, {
      applicationName: 'iot-broker-beat',
      max: 1,
      // By then this broker counts as dead; a heartbeat that still waits is abandoned and sent again.
      answerMs: BROKER_LOST_MS,
      silentAfterMs: 1_000,
    })
  let pool = open()
  const gapMs = shared ? BROKER_LOST_MS : GAP_MS
  let beating: Promise<boolean> | null = null
  let swept: () => void = () => undefined

  /** Returns true if the row did not exist. */
  async function beat(): Promise<boolean> {
    const { sql } = pool
    await sql`
      select case when exists (select 1 from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
          and classid::bigint = ${BROKER_LOCK} and objsubid = 2)
        then true else pg_try_advisory_lock(${BROKER_LOCK}::int, hashtext(${brokerId})) end`
    // A start in the future was noted before the clock was set back.
    const [row] = await sql<{ fresh: boolean }[]>`
      insert into brokers as b (id, started_at, beat_at) values (${brokerId}, now(), now())
      on conflict (id) do update set beat_at = now(), started_at = case
        when b.beat_at < now() - make_interval(secs => ${gapMs / 1000}) then now() else least(b.started_at, now()) end
      returning (xmax = 0) as fresh`
    return row?.fresh ?? false
  }

  if (!shared) {
    await beat()
    const lost = await sweepLostBrokers(pool.sql, { silentMs: BROKER_LOST_MS, unlocked: true })
    if (lost.brokers.length > 0) log.warn(lost, 'closed what dead brokers left')
  }

  const now = () => {
    if (shared?.connected() === false) return
    beating ??= inTime(beat())
      .then((fresh) => {
        if (fresh) swept()
        return fresh
      })
      .catch((error: unknown) => {
        log.warn({ err: error }, 'no heartbeat')
        // A postgres.js connection object that broke with unsent data may stay unusable.
        void pool.close().catch(() => undefined)
        pool = open()
        return false
      })
      .finally(() => {
        beating = null
      })
  }
  const timer = setInterval(now, BROKER_BEAT_MS)

  return {
    now,
    /**
     * Another process considered this broker dead (an unavailable database is enough): report our connections again.
     * They are the same ones, so their records continue.
     */
    reportAgain: (fleet: Fleet, presence: Presence) => {
      swept = () => {
        log.warn('taken for dead: reporting all devices again')
        for (const guard of fleet.devices()) {
          if (!guard.peer.main || guard.peer.connectionId === '') continue
          presence.online(guard.peer, guard)
        }
      }
    },
    close: async () => {
      clearInterval(timer)
      await beating
      if (!shared)
        await pool.sql`delete from brokers where id = ${brokerId}`.catch((error: unknown) =>
          log.warn({ err: error }, 'broker not signed off'),
        )
      await pool.close()
    },
  }
}
