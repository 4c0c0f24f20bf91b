/** Online state, written in batches: one row per connection, and the current state of each device. */
import type { Context } from '#infra/context'
import { DUPLICATE_TAKEOVERS, DUPLICATE_WINDOW_MS, type OfflineReason } from '#schema/device/presence'
import type { Fleet } from './fleet.ts'
import type { Transport } from './host.ts'
import type { DevicePeer } from './peer.ts'
import type { Warnings } from './warnings.ts'

type Event = { deviceId: number; connection: string; at: string } & (
  | { kind: 'online'; ip: string; transport: Transport }
  | { kind: 'offline'; reason: OfflineReason }
)

const WRITE_MS = 100
const SEEN_MS = 5_000
const BATCH_MAX = 5_000
// Timestamps in the future ("> now() + 1 minute" below) were written while a clock was wrong, and are
// overwritten.

export function openPresence(
  context: Pick<Context, 'sql' | 'log'>,
  brokerId: string,
  fleet: Fleet,
  warnings: Warnings,
) {
  const { sql, log } = context
  let waiting: Event[] = []
  let writing: Promise<void> | null = null
  const takeovers = new Map<number, number[]>()
  let seenUntil = performance.now()

  /** A round has at most one event per device, so that one statement can apply it. */
  function takeRound(): Event[] {
    const inRound = new Set<number>()
    const round: Event[] = []
    const rest: Event[] = []
    for (const event of waiting) {
      const later = inRound.has(event.deviceId) || round.length >= BATCH_MAX
      inRound.add(event.deviceId)
      if (later) rest.push(event)
      else round.push(event)
    }
    waiting = rest
    return round
  }

  async function apply(round: Event[]): Promise<void> {
    // Sorted like the other writers of these rows, to avoid deadlocks.
    const inOrder = round.toSorted((a, b) => a.deviceId - b.deviceId)
    const on = inOrder.filter((event) => event.kind === 'online')
    const off = inOrder.filter((event) => event.kind === 'offline')
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
            select connection_id, device_id, ${brokerId}, at, ip, transport from e on conflict do nothing)
          insert into device_states as s (device_id, online, connection_id, broker_id, online_changed_at, last_login_at, last_seen_at, remote_ip, online_count)
          select device_id, true, connection_id, ${brokerId}, at, at, at, ip, 1 from e
          on conflict (device_id) do update set online = true, connection_id = excluded.connection_id,
            broker_id = excluded.broker_id, last_login_at = excluded.last_login_at, remote_ip = excluded.remote_ip,
            last_seen_at = case when s.last_seen_at > now() + interval '1 minute' then excluded.last_seen_at
              else greatest(s.last_seen_at, excluded.last_seen_at) end, offline_reason = null,
            online_changed_at = case when s.online then s.online_changed_at else excluded.online_changed_at end,
            online_count = s.online_count + case when s.online then 0 else 1 end
          where s.last_login_at is null or s.last_login_at <= excluded.last_login_at
            or s.last_login_at > now() + interval '1 minute'`
    if (off.length > 0)
      await sql`
          with e as (
            select * from unnest(${off.map((e) => e.connection)}::uuid[], ${off.map((e) => e.at)}::timestamptz[],
              ${off.map((e) => e.reason)}::text[]) as x(connection_id, at, reason)),
          recorded as (
            update presence_records p set offline_at = greatest(e.at, p.online_at), reason = e.reason
            from e where p.connection_id = e.connection_id and p.offline_at is null)
          update device_states s set online = false, offline_reason = e.reason, last_logout_at = e.at,
            online_changed_at = e.at, offline_count = s.offline_count + 1
          from e where s.connection_id = e.connection_id and s.online`
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const round = takeRound()
      try {
        await apply(round)
      } catch (error) {
        // Put back at the front and retried with the next tick; nothing is lost while the database is
        // unavailable.
        waiting = [...round, ...waiting]
        log.warn({ err: error, events: waiting.length }, 'presence waits')
        return
      }
    }
  }

  async function writeSeen(): Promise<void> {
    const from = seenUntil
    seenUntil = performance.now()
    // Computed from the current clock, in case it has been set since.
    const dayZero = Date.now() - seenUntil
    const seen = new Map<number, number>()
    for (const guard of fleet.devices())
      if (guard.lastInAt >= from)
        seen.set(
          guard.peer.deviceId,
          Math.max(seen.get(guard.peer.deviceId) ?? 0, Math.round(dayZero + guard.lastInAt)),
        )
    if (seen.size === 0) return
    const inOrder = [...seen].sort(([a], [b]) => a - b)
    try {
      await sql`
        update device_states s set last_seen_at = to_timestamp(e.ms / 1000.0)
        from unnest(${inOrder.map(([deviceId]) => deviceId)}::int[], ${inOrder.map(([, ms]) => String(ms))}::bigint[]) as e(device_id, ms)
        where s.device_id = e.device_id and (s.last_seen_at is null or s.last_seen_at < to_timestamp(e.ms / 1000.0)
          or s.last_seen_at > now() + interval '1 minute')`
    } catch (error) {
      log.warn({ err: error }, 'last seen not written')
    }
  }

  const flush = () => {
    writing ??= write().finally(() => {
      writing = null
    })
    return writing
  }
  const timers = [setInterval(flush, WRITE_MS), setInterval(() => void writeSeen(), SEEN_MS)]

  /** Detects flapping between two machines with one serial number [schema/presence]. */
  async function recordSuspectedDuplicate(deviceId: number, count: number): Promise<void> {
    warnings.warn(deviceId, 'duplicateSuspected', `${count} takeovers within ${DUPLICATE_WINDOW_MS / 1000} s`)
    try {
      await sql`
        insert into device_states (device_id, duplicate_suspected_at) select id, now() from devices where id = ${deviceId}
        on conflict (device_id) do update set duplicate_suspected_at = now()`
    } catch (error) {
      log.warn({ err: error, deviceId }, 'suspected duplicate not written')
    }
  }

  return {
    online: (peer: DevicePeer, from: { ip: string; transport: Transport }) =>
      void waiting.push({
        kind: 'online',
        deviceId: peer.deviceId,
        connection: peer.connectionId,
        at: peer.loginAt.toISOString(),
        ip: from.ip,
        transport: from.transport,
      }),
    offline: (peer: DevicePeer, reason: OfflineReason) =>
      void waiting.push({
        kind: 'offline',
        deviceId: peer.deviceId,
        connection: peer.connectionId,
        at: new Date().toISOString(),
        reason,
      }),
    takenOver: (deviceId: number) => {
      const now = performance.now()
      const recent = [...(takeovers.get(deviceId) ?? []), now].filter((at) => at > now - DUPLICATE_WINDOW_MS)
      takeovers.set(deviceId, recent.slice(-20))
      if (recent.length >= DUPLICATE_TAKEOVERS) void recordSuspectedDuplicate(deviceId, recent.length)
    },
    flush,
    close: async () => {
      for (const timer of timers) clearInterval(timer)
      await writing
      await flush()
    },
  }
}
export type Presence = ReturnType<typeof openPresence>
