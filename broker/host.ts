/** Interfaces between a guard and the code that runs it. */
import type { Transport } from '#infra/presence'
import type { Uplink } from '#schema/kit/message'

/** `opened` is called after login; `since` is when the TCP connection was made. */
export type Arrival = { ip: string; transport: Transport; since?: number; opened?: () => void }

/** The last topic of a connection, which devices repeat, and the uplink that it means; null: Aedes must handle it. */
export type KnownTopic = { bytes: Buffer; topic: string; word: Uplink | null }

/** Of one connection: whether its device is beyond its rate, and publishes that are not counted yet. */
export type Pace = { isOver: boolean; uncounted: number }

/** `G` is the guard type: a parameter, because the guard itself is built from this type. */
export type GuardHost<G> = {
  /** Too many unacknowledged publishes in total: connections that wait for acknowledgements are not read. */
  readonly gate: { closed: boolean }
  /** Too much output waiting in total. */
  readonly output: { tight: boolean }
  /** Upper limit of keepalives; a parameter. */
  readonly longestHeartbeat: { readonly ms: number }
  /**
   * Gets each well-formed PUBLISH of a logged-in peer; returns true if it was handled and Aedes need not see
   * it.
   */
  take(guard: G, first: number, bytes: Buffer, from: number, to: number): boolean
  refused(guard: G, why: string): void
  /**
   * A complete, well-formed CONNECT is about to pass. A connection that never sends one costs no Aedes
   * client.
   */
  connecting(guard: G): void
  /** What a PUBLISH of this connection costs Aedes: every filter of the device is matched. */
  weigh(guard: G): number
}
