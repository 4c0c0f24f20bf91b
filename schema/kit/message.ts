/** The makers of MQTT messages. Topics are `v1/{sn}/up/{name}` (device → platform) and `v1/{sn}/down/{name}`. */
import type { z } from 'zod'
import { ofKind } from './kind.ts'

/** Version of the topics and payloads; a device sends it in `hello.v`. */
export const PROTOCOL_VERSION = 1

/**
 * `hot`: frequent and small; stored by the broker in batches directly in its own table before PUBACK. `report`: stored
 * by the broker in the inbox table before PUBACK; one queue job drains a batch. `session`: handled by the broker itself
 * (enrolment), committed before PUBACK. `presence`: tells the ingest of an external broker how a connection ended; our
 * own broker sees that itself, and treats the message like an undeclared one.
 */
export type UplinkClass = 'hot' | 'report' | 'session' | 'presence'

export type Uplink<P extends z.ZodType = z.ZodType> = {
  readonly kind: 'uplink'
  readonly name: string
  readonly class: UplinkClass
  readonly summary: string
  readonly payload: P
  /** Largest accepted payload in bytes; a larger one is refused (acknowledged, counted, not stored). */
  readonly maxBytes: number
  /** A valid payload, printed in docs/protocol.md and parsed by a test. */
  readonly example: z.input<P>
}

export type Downlink<P extends z.ZodType = z.ZodType> = {
  readonly kind: 'downlink'
  readonly name: string
  readonly summary: string
  readonly payload: P
  readonly example: z.input<P>
}

/** Declares a message from device to platform. `maxBytes` defaults to 16,384. */
export function uplink<P extends z.ZodType>(
  d: Omit<Uplink<P>, 'kind' | 'maxBytes'> & { maxBytes?: number },
): Uplink<P> {
  return { kind: 'uplink', maxBytes: 16_384, ...d }
}

/** Declares a message from platform to device; always QoS 1, never retained. */
export function downlink<P extends z.ZodType>(d: Omit<Downlink<P>, 'kind'>): Downlink<P> {
  return { kind: 'downlink', ...d }
}

export const uplinkTopic = (sn: string, name: string) => `v${PROTOCOL_VERSION}/${sn}/up/${name}`
export const downlinkTopic = (sn: string, name: string) => `v${PROTOCOL_VERSION}/${sn}/down/${name}`

/** Parses a topic of ours; null for any other. Does not check whether the name is declared. */
export function parseTopic(topic: string): { sn: string; direction: 'up' | 'down'; name: string } | null {
  const [version, sn, direction, name, rest] = topic.split('/')
  if (version !== `v${PROTOCOL_VERSION}` || !sn || !name || rest !== undefined) return null
  if (direction !== 'up' && direction !== 'down') return null
  return { sn, direction, name }
}

export const isUplink = ofKind<Uplink>('uplink')
export const isDownlink = ofKind<Downlink>('downlink')
