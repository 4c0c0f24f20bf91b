/**
 * Online and offline state, written by the processes that see connections. What a dead broker leaves behind is cleaned
 * up by brokers when they start, and by a job for those that never come back.
 */
import { createHash } from 'node:crypto'
import { EXTERNAL_BROKER, type OfflineReason } from '#schema/device/presence'
import type { Sql } from './postgres.ts'

export type Transport = 'tcp' | 'tls' | 'ws'
export type PresenceEvent = { deviceId: number; connection: string; at: string } & (
  | { kind: 'online'; ip: string | null; transport: Transport | null }
  | { kind: 'offline'; reason: OfflineReason }
)

/**
 * True of a state that is overwritten: the connection was ended only because its broker was considered dead, and it is
 * the one now reported.
 */
const stillOpen = (sql: Sql) =>
  sql`(not s.online and s.offline_reason = 'brokerLost' and s.connection_id = excluded.connection_id)`

/**
 * Writes one event per device: a row per connection, and the current state. May be repeated without harm. Timestamps in
 * the future ("> now() + 1 minute") were written while a clock was wrong, and are overwritten.
 *
 * `brokerLost` is what other processes assumed about a broker whose heartbeat was missing. When it reports again it
 * takes precedence: the same connection is open again as if nothing had happened, and an end that it saw itself
 * replaces the assumed one.
 */
export async function recordPresence(
  sql: Sql,
  brokerId: string,
  round: readonly PresenceEvent[],
): Promise<void> {
  // Sorted like the other writers of these rows, to avoid deadlocks.
  const inOrder = round.toSorted((a, b) => a.deviceId - b.deviceId)
  const on = inOrder.filter((event) => event.kind === 'online')
  const off = inOrder.filter((event) => event.kind === 'offline')
  // Behind an external broker an end may be reported an hour late: then the assumed end is more accurate.
  const seesEnds = brokerId !== EXTERNAL_BROKER
  // Two statements instead of a transaction: each can be repeated without harm, and a connection that
  // breaks inside a transaction of postgres.js ends the process (its issue 1208).
  if (on.length > 0)
    await sql`
        with e as (
          select x.* from unnest(${on.map((e) => e.deviceId)}::int[], ${on.map((e) => e.connection)}::uuid[],
            ${on.map((e) => e.at)}::timestamptz[], ${on.map((e) => e.ip)}::text[], ${on.map((e) => e.transport)}::text[])
            as x(device_id, connection_id, at, ip, transport) join devices d on d.id = x.device_id),
        recorded as (
          insert into presence_records (connection_id, device_id, broker_id, online_at, ip, transport)
          select connection_id, device_id, ${brokerId}, at, ip, transport from e
          on conflict (connection_id) do update set offline_at = null, reason = null where presence_records.reason = 'brokerLost')
        insert into device_states as s (device_id, online, connection_id, broker_id, online_changed_at, last_login_at, last_seen_at, remote_ip, online_count)
        select device_id, true, connection_id, ${brokerId}, at, at, at, ip, 1 from e
        on conflict (device_id) do update set online = true, connection_id = excluded.connection_id,
          broker_id = excluded.broker_id, last_login_at = excluded.last_login_at, remote_ip = excluded.remote_ip,
          last_seen_at = case when s.last_seen_at > now() + interval '1 minute' then excluded.last_seen_at
            else greatest(s.last_seen_at, excluded.last_seen_at) end, offline_reason = null,
          online_changed_at = case when s.online then s.online_changed_at else excluded.online_changed_at end,
          online_count = s.online_count + case when s.online or ${stillOpen(sql)} then 0 else 1 end,
          offline_count = s.offline_count - case when ${stillOpen(sql)} then 1 else 0 end,
          last_logout_at = case when ${stillOpen(sql)} then (select max(p.offline_at) from presence_records p
            where p.device_id = s.device_id and p.connection_id <> s.connection_id) else s.last_logout_at end
        where s.last_login_at is null or s.last_login_at <= excluded.last_login_at
          or s.last_login_at > now() + interval '1 minute'`
  if (off.length > 0)
    await sql`
        with e as (
          select * from unnest(${off.map((e) => e.connection)}::uuid[], ${off.map((e) => e.at)}::timestamptz[],
            ${off.map((e) => e.reason)}::text[]) as x(connection_id, at, reason)),
        recorded as (
          update presence_records p set offline_at = greatest(e.at, p.online_at), reason = e.reason
          from e where p.connection_id = e.connection_id and (p.offline_at is null or (p.reason = 'brokerLost' and ${seesEnds}::boolean)))
        update device_states s set online = false, offline_reason = e.reason, last_logout_at = e.at,
          online_changed_at = e.at, offline_count = s.offline_count + case when s.online then 1 else 0 end
        from e where s.connection_id = e.connection_id and (s.online or (s.offline_reason = 'brokerLost' and ${seesEnds}::boolean))`
}

/** First key of the advisory locks held by running brokers; the second is the hash of their id. */
export const BROKER_LOCK = 7302

/**
 * Ends the presence of brokers that have been silent for `silentMs`: offline as of their last heartbeat, reason
 * `brokerLost`. With `unlocked` also of those that no longer hold their lock, however recent their last heartbeat:
 * PostgreSQL releases it when a process is killed. A broker wrongly considered dead notices at its next heartbeat and
 * reports its connections again, which opens their records again. Set-based, one transaction; may run anywhere, any time.
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

/**
 * The id of a connection that the platform does not see but that has a name: the same in every process, whichever is
 * notified of its begin and its end. A UUID of version 8 (RFC 9562).
 */
export function connectionId(deviceId: number, name: string): string {
  const bytes = createHash('sha256').update(`connection ${deviceId} ${name}`).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Whether the id was derived from a name: the end of the connection is announced under the same name. */
export const isNamed = (id: string): boolean => id[14] === '8'
