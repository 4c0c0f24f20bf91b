/**
 * Declared uplinks: validated, stored, and only then acknowledged. Other topics below the device's own are
 * plain MQTT.
 */

import type { z } from 'zod'
import { quickCheck } from '#infra/quick-check'
import { type Flat, quickRead } from '#infra/quick-read'
import { hello } from '#schema/device/hello'
import { sampleTime } from '#schema/device/status'
import { parseTopic, type Uplink } from '#schema/kit/message'
import type { Waiter } from './committer.ts'
import type { BrokerMetrics } from './metrics.ts'
import type { Store } from './store.ts'
import type { HotUplink, Slice } from './uplink.ts'
import type { Warnings } from './warnings.ts'

/** Deeper nesting is refused: PostgreSQL's jsonb and our own recursion use the stack. */
const DEPTH_MAX = 32

/**
 * Assigned timestamps are at most this far ahead: a broker that restarts right afterwards must not meet them.
 */
const AHEAD_MS = 50
/** Maximum wait for a device without a clock that sends more than a thousand samples a second. */
const AHEAD_MAX_MS = 5_000
/** Devices whose assigned timestamps are remembered before those that have passed are removed. */
const ASSIGNED_MAX = 1_000

/** PostgreSQL's texts and jsonb refuse U+0000 and lone surrogates, which JSON can carry as escapes. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i

function depthOf(bytes: Buffer, from: number, to: number): number {
  let depth = 0
  let most = 0
  let quoted = false
  for (let i = from; i < to; i++) {
    const byte = bytes[i]
    if (byte === 34) quoted = !quoted
    else if (quoted && byte === 92) i++
    else if (quoted) continue
    else if (byte === 123 || byte === 91) most = Math.max(most, ++depth)
    else if (byte === 125 || byte === 93) depth--
  }
  return most
}

/** Returns the parsed payload, with its text if it may be stored as it is; or the fault. */
export function readPayload(
  uplink: Uplink,
  bytes: Buffer,
  from = 0,
  to = bytes.length,
): { value: unknown; text?: string } | { fault: string } {
  if (to - from > uplink.maxBytes) return { fault: `more than ${uplink.maxBytes} bytes` }
  // Fields of a hot message that are not in its schema are not stored.
  if (uplink.class !== 'hot' && depthOf(bytes, from, to) > DEPTH_MAX) return { fault: 'nested too deeply' }
  const text = bytes.toString('utf8', from, to)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { fault: 'not JSON' }
  }
  // Escapes are stored as the characters that they mean.
  if (quickCheck(uplink.payload)(json)) return text.includes('\\u') ? { value: json } : { value: json, text }
  const parsed = uplink.payload.safeParse(json)
  if (parsed.success) return { value: parsed.data }
  const issue = parsed.error.issues[0]
  return { fault: `${issue?.path.join('.') || 'payload'}: ${issue?.message}` }
}

/** Whose message it is: all that storing it needs. */
type Sender = { readonly deviceId: number }

export type Ingest = {
  /** The declared uplink of this topic for its owner; null for plain MQTT. */
  wordOf(topic: string): Uplink | null
  /** Stores one message. `kept(false)`: it cannot be stored, but is acknowledged anyway. */
  keep(peer: Sender, word: Uplink, payload: Slice, waits: Waiter): void
}

/** Of a message of QoS 0. */
export const notAcknowledged: Waiter = { kept: () => undefined }

type Hello = z.output<(typeof hello)['payload']>
type Tools = { store: Store; metrics: BrokerMetrics; warnings: Warnings; now(): Date }

export function openIngest(uplinks: Uplink[], hot: HotUplink[], tools: Tools): Ingest {
  const { store, metrics, warnings } = tools
  const byName = new Map(uplinks.map((uplink) => [uplink.name, uplink]))
  const hotByName = new Map(
    hot.map((row) => [row.uplink.name, { row, quick: quickRead(row.uplink.payload) }] as const),
  )
  /**
   * The last timestamp assigned to a device without a plausible clock: two of its samples must never share
   * one, even on two connections. Timestamps that have passed need not be remembered.
   */
  const assigned = new Map<number, number>()

  /**
   * The timestamp under which to store a sample, in ms since 1970, and how long to wait before that; null: no
   * room.
   */
  function storedAt(deviceId: number, said: number): { at: number; waitMs: number } | null {
    const now = tools.now().getTime()
    const at = sampleTime(said, now)
    if (at === said) return { at, waitMs: 0 }
    const own = Math.max(at, (assigned.get(deviceId) ?? 0) + 1)
    // Acknowledgements bound what waits; only a flood of QoS 0 messages gets here.
    if (own - now > AHEAD_MAX_MS) return null
    if (assigned.size >= ASSIGNED_MAX) for (const [id, last] of assigned) if (last < now) assigned.delete(id)
    assigned.set(deviceId, own)
    return { at: own, waitMs: own - now <= AHEAD_MS ? 0 : own - now }
  }

  /** 0 means that the device has no clock. */
  function greet(deviceId: number, said: number, receivedMs: number): void {
    for (const filing of store.filings.values())
      filing.greeted(deviceId, said === 0 ? null : said - receivedMs)
  }

  const warn = (peer: Sender, name: string, fault: string) =>
    warnings.warn(peer.deviceId, 'invalidMessage', `${name}: ${fault}`)

  function refuse(peer: Sender, name: string, fault: string, waits: Waiter): void {
    metrics.refused('payload')
    warn(peer, name, fault)
    waits.kept(false)
  }

  /** The timestamp under which it is stored; null: it is not stored. */
  function keepSample(
    { deviceId }: Sender,
    uplink: HotUplink,
    said: Flat<unknown>,
    bytes: number,
    waits: Waiter,
  ): number | null {
    metrics.count('hot')
    const filed = storedAt(deviceId, uplink.at(said))
    if (filed === null) {
      waits.kept(false)
      return null
    }
    const { at, waitMs } = filed
    // Not kept until the commit: thousands of values that wait cost a quarter of the broker's time.
    store.sample(uplink.uplink.name, uplink.row(deviceId, said, at), bytes + 200, waitMs, waits)
    return at
  }

  return {
    wordOf: (topic) => {
      const parts = parseTopic(topic)
      return parts?.direction === 'up' ? (byName.get(parts.name) ?? null) : null
    },
    keep: (peer, word, payload, waits) => {
      const { bytes, from, to } = payload
      const hot = hotByName.get(word.name)
      const quick = hot && to - from <= word.maxBytes ? hot.quick(bytes, from, to) : null
      if (hot && quick) {
        const at = keepSample(peer, hot.row, quick, to - from, waits)
        if (at !== null) store.latestBytes(word.name, peer.deviceId, at, payload)
        return
      }
      const read = readPayload(word, bytes, from, to)
      if ('fault' in read) return refuse(peer, word.name, read.fault, waits)
      if (hot) {
        const at = keepSample(peer, hot.row, read.value as Flat<unknown>, to - from, waits)
        if (at !== null) store.latest(word.name, peer.deviceId, at, read.value)
        return
      }
      const filing = store.filings.get(word.name)
      if (filing) {
        metrics.count('hot')
        filing.keep(peer.deviceId, read.value, to - from + 200, (stored) => waits.kept(stored), {
          refuse: (fault) => refuse(peer, word.name, fault, waits),
          warn: (fault) => warn(peer, word.name, fault),
        })
        return store.watchGate()
      }
      const text = read.text ?? JSON.stringify(read.value)
      if (UNSTORABLE.test(text)) return refuse(peer, word.name, 'text that cannot be stored', waits)
      metrics.count('report')
      const receivedMs = tools.now().getTime()
      if (word === hello) greet(peer.deviceId, (read.value as Hello).at, receivedMs)
      store.report({ deviceId: peer.deviceId, name: word.name, payload: text, receivedMs }, waits)
    },
  }
}
