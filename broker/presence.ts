/** Online state, written in batches: one row per connection, and the current state of each device. */
import type { Context } from '#infra/context'
import { type PresenceEvent, recordPresence, type Transport } from '#infra/presence'
import { DUPLICATE_TAKEOVERS, DUPLICATE_WINDOW_MS, type OfflineReason } from '#schema/device/presence'
import type { Warnings } from './warnings.ts'

const WRITE_MS = 100
const SEEN_MS = 5_000
const BATCH_MAX = 5_000

type Connection = { readonly deviceId: number; readonly connectionId: string }
/** Who sent something and when, by `performance.now()`. */
export type Senders = { devices(): Iterable<{ lastInAt: number; peer: { deviceId: number } }> }

export function openPresence(
  context: Pick<Context, 'sql' | 'log'>,
  brokerId: string,
  fleet: Senders,
  warnings: Warnings,
) {
  const { sql, log } = context
  let waiting: PresenceEvent[] = []
  let writing: Promise<void> | null = null
  let seenUntil = performance.now()

  /** A round has at most one event per device, so that one statement can apply it. */
  function takeRound(): PresenceEvent[] {
    const inRound = new Set<number>()
    const round: PresenceEvent[] = []
    const rest: PresenceEvent[] = []
    for (const event of waiting) {
      const later = inRound.has(event.deviceId) || round.length >= BATCH_MAX
      inRound.add(event.deviceId)
      if (later) rest.push(event)
      else round.push(event)
    }
    waiting = rest
    return round
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const round = takeRound()
      try {
        await recordPresence(sql, brokerId, round)
        const ended = round.filter((event) => event.kind === 'offline' && event.reason === 'takenOver')
        if (ended.length > 0) void findDuplicates(ended.map(({ deviceId }) => deviceId))
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
      // Next time: a device that is silent from now on would be said to have been silent earlier.
      seenUntil = Math.min(seenUntil, from)
    }
  }

  const flush = () => {
    writing ??= write().finally(() => {
      writing = null
    })
    return writing
  }
  const timers = [setInterval(flush, WRITE_MS), setInterval(() => void writeSeen(), SEEN_MS)]

  /**
   * Detects flapping between two machines with one serial number [schema/presence]. Counted in the records: with several brokers
   * each sees only those of the connections that it had.
   */
  async function findDuplicates(ids: readonly number[]): Promise<void> {
    const seconds = DUPLICATE_WINDOW_MS / 1000
    try {
      const found = await sql<{ deviceId: number; takeovers: number }[]>`
        with found as (
          select p.device_id, count(*)::int as takeovers from presence_records p join devices d on d.id = p.device_id
          where p.device_id = any(${[...ids]}::int[]) and p.reason = 'takenOver' and p.offline_at > now() - make_interval(secs => ${seconds})
          group by 1 having count(*) >= ${DUPLICATE_TAKEOVERS}),
        marked as (
          insert into device_states (device_id, duplicate_suspected_at) select device_id, now() from found order by 1
          on conflict (device_id) do update set duplicate_suspected_at = now())
        select device_id as "deviceId", takeovers from found`
      for (const { deviceId, takeovers } of found)
        warnings.warn(deviceId, 'duplicateSuspected', `${takeovers} takeovers within ${seconds} s`)
    } catch (error) {
      log.warn({ err: error }, 'suspected duplicates not written')
    }
  }

  return {
    online: (
      peer: Connection & { readonly loginAt: Date },
      from: { ip: string | null; transport: Transport | null },
    ) =>
      void waiting.push({
        kind: 'online',
        deviceId: peer.deviceId,
        connection: peer.connectionId,
        at: peer.loginAt.toISOString(),
        ip: from.ip,
        transport: from.transport,
      }),
    offline: (peer: Connection, reason: OfflineReason) =>
      void waiting.push({
        kind: 'offline',
        deviceId: peer.deviceId,
        connection: peer.connectionId,
        at: new Date().toISOString(),
        reason,
      }),
    flush,
    close: async () => {
      for (const timer of timers) clearInterval(timer)
      await writing
      await flush()
    },
  }
}
export type Presence = ReturnType<typeof openPresence>
