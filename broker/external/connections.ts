/**
 * Presence behind an external broker: from hello, from the will (`gone`), and from silence [decisions/138]. Where the
 * broker reports connections itself (EMQX), only what was missed during an outage is corrected here.
 */
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { batched } from '#infra/batched'
import type { Context } from '#infra/context'
import { connectionId, isNamed } from '#infra/presence'
import type { gone } from '#schema/device/gone'
import { EXTERNAL_BROKER, type OfflineReason, offlineReasons } from '#schema/device/presence'
import { openPresence } from '../presence.ts'
import type { Warnings } from '../warnings.ts'

const ROUND_MS = 5_000
/** Allowed silence of a device without a will: several missed statuses. */
const SILENT_S = 180
/** Allowed silence of a device with a will, in keepalives: the broker should have published the will long before. */
const KEEPALIVES = 1.5

type Gone = z.output<(typeof gone)['payload']>
type State = { device_id: number; connection_id: string }
/** End reasons after which a device that sends something counts as online: it was never seen to disconnect. */
const unseen: readonly OfflineReason[] = ['keepalive', 'brokerLost', 'brokerStopped']

export function openConnections(
  context: Pick<Context, 'sql' | 'log' | 'env' | 'parameters'>,
  warnings: Warnings,
  /**
   * Since when all messages of devices have been received, here or by another process, by `performance.now()`; null:
   * they are not being received.
   */
  hearsSince: () => number | null,
  roundMs = ROUND_MS,
) {
  const { sql, log, env, parameters } = context
  const byHello = env.EXTERNAL_MQTT_KIND === 'mosquitto'
  const heard = new Map<number, number>()
  const senders = {
    devices: () => [...heard].map(([deviceId, lastInAt]) => ({ lastInAt, peer: { deviceId } })),
  }
  const presence = openPresence(context, EXTERNAL_BROKER, senders, warnings)
  /** The named connection of each device's last hello. */
  const current = new Map<number, string>()
  const greeted = new Set<number>()
  const anonymous = new Set<number>()
  let sentSince = new Set<number>()

  const online = (deviceId: number, id: string) =>
    presence.online({ deviceId, connectionId: id, loginAt: new Date() }, { ip: null, transport: null })

  const stateOf = batched<State & { key: string }>(
    (ids) => sql<(State & { key: string })[]>`
      select device_id, device_id::text as key, connection_id from device_states
      where device_id = any(${ids.map(Number)}::int[]) and online and connection_id is not null`,
    (row) => row.key,
  )

  /** Devices that sent something although they count as offline: the start of their connection was missed. */
  async function welcomeBack(ids: readonly number[], reasons: readonly OfflineReason[]): Promise<void> {
    if (ids.length === 0) return
    const rows = await sql<{ id: number }[]>`
      select d.id from devices d join device_states s on s.device_id = d.id
      where d.id = any(${[...ids]}::int[]) and not s.online and d.deleted_at is null
        and (s.offline_reason is null or s.offline_reason = any(${[...reasons]}::text[]))`
    for (const { id } of rows) online(id, randomUUID())
  }

  /** Connections that were replaced without notice: the device has no will, or it did not arrive. */
  const endReplaced = (ids: readonly number[]) => sql`
    update presence_records p set offline_at = greatest(p.online_at, s.last_login_at), reason = 'takenOver'
    from device_states s where s.device_id = any(${[...ids]}::int[]) and p.device_id = s.device_id
      and p.offline_at is null and p.connection_id <> s.connection_id and s.online and s.broker_id = ${EXTERNAL_BROKER}`

  async function endSilent(): Promise<void> {
    const since = hearsSince()
    if (since === null) return
    const heardForS = (performance.now() - since) / 1000
    const longest = KEEPALIVES * (await parameters.get('heartbeatMaxS'))
    // Time in which we were not subscribed does not count as silence.
    if (heardForS < SILENT_S) return
    const rows = await sql<State[]>`
      select device_id, connection_id from device_states where online and broker_id = ${EXTERNAL_BROKER}
        and last_seen_at < now() - make_interval(secs => case when substr(connection_id::text, 15, 1) = '8'
          then ${Math.max(longest, SILENT_S)}::float8 else ${SILENT_S}::float8 end)
        and (substr(connection_id::text, 15, 1) <> '8' or ${heardForS >= longest}::boolean)`
    for (const row of rows)
      presence.offline({ deviceId: row.device_id, connectionId: row.connection_id }, 'keepalive')
  }

  async function round(): Promise<void> {
    const takeAll = (set: Set<number>) => {
      const all = [...set]
      set.clear()
      return all
    }
    const sent = [...sentSince]
    sentSince = new Set()
    const replaced = takeAll(greeted)
    const unnamed = takeAll(anonymous)
    try {
      await presence.flush()
      if (replaced.length > 0) await endReplaced(replaced)
      await welcomeBack(unnamed, offlineReasons)
      await welcomeBack(sent, unseen)
      await endSilent()
    } catch (error) {
      for (const id of replaced) greeted.add(id)
      for (const id of unnamed) anonymous.add(id)
      for (const id of sent) sentSince.add(id)
      log.warn({ err: error }, 'presence waits')
    }
    // Devices that have been silent for long are not written again.
    const old = performance.now() - 4 * ROUND_MS
    for (const [id, at] of heard) if (at < old) heard.delete(id)
  }
  let rounding: Promise<void> | null = null
  const timer = setInterval(() => {
    rounding ??= round().finally(() => {
      rounding = null
    })
  }, roundMs)

  return {
    heard: (deviceId: number) => {
      heard.set(deviceId, performance.now())
      sentSince.add(deviceId)
    },
    greeted: (deviceId: number, name: string | undefined) => {
      if (!byHello) return
      greeted.add(deviceId)
      if (name === undefined) {
        anonymous.add(deviceId)
        return
      }
      const id = connectionId(deviceId, name)
      // A repeated hello on the same connection, because its content has changed.
      if (current.get(deviceId) === id) return
      current.set(deviceId, id)
      online(deviceId, id)
    },
    gone: async (deviceId: number, { connection, leaving }: Gone): Promise<void> => {
      if (!byHello) return
      const named = connectionId(deviceId, connection)
      if (current.get(deviceId) === named) current.delete(deviceId)
      const ended = leaving ? 'disconnected' : 'socketClosed'
      await presence.flush()
      const now = await stateOf(String(deviceId))
      // A connection whose start was missed can only be this one.
      const id = now && !isNamed(now.connection_id) ? now.connection_id : named
      presence.offline({ deviceId, connectionId: id }, ended)
      await presence.flush()
    },
    close: async () => {
      clearInterval(timer)
      await rounding
      await presence.close()
    },
  }
}
export type Connections = ReturnType<typeof openConnections>
