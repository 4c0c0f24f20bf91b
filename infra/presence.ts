/** Cleans up after a dead broker. Brokers do this when they start; a job does it for those that never come back. */
import type { Sql } from './postgres.ts'

/** First key of the advisory locks held by running brokers; the second is the hash of their id. */
export const BROKER_LOCK = 7302

/**
 * Ends the presence of brokers that have been silent for `silentMs`: offline as of their last heartbeat, reason
 * `brokerLost`. With `unlocked` also of those that no longer hold their lock, however recent their last heartbeat:
 * PostgreSQL releases it when a process is killed. A broker wrongly considered dead notices at its next heartbeat and
 * reports its devices again. Set-based, one transaction; may run anywhere, any time.
 */
export async function sweepLostBrokers(
  sql: Sql,
  options: { silentMs: number; unlocked?: boolean },
): Promise<{ brokers: string[]; devices: number }> {
  const [row] = await sql<{ brokers: string[] | null; devices: number }[]>`
    with silent as (
      delete from brokers b where b.beat_at < now() - make_interval(secs => ${options.silentMs / 1000})
        or (${options.unlocked ?? false} and not exists (
          select 1 from pg_locks l where l.locktype = 'advisory' and l.classid::bigint = ${BROKER_LOCK} and l.objsubid = 2
            and l.objid::bigint = (hashtext(b.id)::bigint & 4294967295)
            and l.database = (select oid from pg_database where datname = current_database())))
      returning b.id, b.beat_at),
    lost as (
      select id, beat_at from silent
      union all
      select x.broker_id, now() from (select distinct broker_id from device_states where online) x
      where not exists (select 1 from brokers b where b.id = x.broker_id)),
    recorded as (
      update presence_records p set offline_at = greatest(p.online_at, lost.beat_at), reason = 'brokerLost'
      from lost where p.broker_id = lost.id and p.offline_at is null),
    ended as (
      update device_states s set online = false, offline_reason = 'brokerLost', offline_count = s.offline_count + 1,
        last_logout_at = greatest(s.last_login_at, lost.beat_at),
        online_changed_at = greatest(s.last_login_at, lost.beat_at)
      from lost where s.broker_id is not distinct from lost.id and s.online returning 1)
    select (select array_agg(id) from lost) as brokers, (select count(*) from ended)::int as devices`
  return { brokers: row?.brokers ?? [], devices: row?.devices ?? 0 }
}
