import { AUXILIARY_CONNECTIONS } from '#schema/device/auxiliary'
import { topicLimits } from '#schema/device/own-topics'

/** Limits of what one connection or device may cost [threats 7]. Times in ms, sizes in bytes. */
export const limits = {
  /**
   * From the first TCP packet to a login, including TLS and HTTP; checked twice a second, so it is over
   * within 10 s.
   */
  connectMs: 9_000,
  packetBytes: 256 * 1024,
  connectBytes: 8 * 1024,
  topicBytes: topicLimits.bytes,
  topicLevels: topicLimits.levels,
  /** Keepalive 0 means "never" and 65535 is 18 hours: both are limited to this. */
  keepaliveMaxS: 1200,
  /**
   * Output waiting in our memory for one client; beyond it, or without any progress for `stuckMs`, the client
   * is disconnected.
   */
  outputBytes: 8 * 1024 * 1024,
  /** While all clients together have this much waiting, each may have only `outputBytesTight`. */
  outputTotalBytes: 128 * 1024 * 1024,
  outputBytesTight: 512 * 1024,
  stuckMs: 10_000,
  /** QoS 0 messages for a client with more than this waiting are dropped, which "at most once" allows. */
  qos0OutputBytes: 4 * 1024 * 1024,
  /** The platform's own connections carry the messages of all devices. */
  serviceOutputBytes: 64 * 1024 * 1024,
  /**
   * Unacknowledged publishes of one connection; beyond it, its socket is not read until some are
   * acknowledged.
   */
  heldPerConnection: 500,
  /**
   * Lower, so that five connections of one device cannot queue five times as much ahead of the samples of
   * others.
   */
  heldPerAuxiliary: 100,
  /** Unacknowledged publishes in total; beyond it, no socket is read until half of them are acknowledged. */
  heldRows: 40_000,
  heldBytes: 64 * 1024 * 1024,
  /** Half-open QoS 2 publishes of one connection. */
  inboundQos2: 1000,
  /**
   * Publishes of one device on all of its connections. The burst is what a gateway may have collected while it was away; then it
   * is read more slowly.
   */
  devicePublishesPerSecond: 500,
  devicePublishBurst: 30_000,
  auxiliaryConnections: AUXILIARY_CONNECTIONS,
  subscriptions: 100,
  filtersPerSubscribe: 100,
  storedSessions: 8,
  queuedMessages: 1000,
  queuedBytes: 1024 * 1024,
  /** Of a session that does not come back: what waits for it must not use up what all have together. */
  queuedDays: 7,
  retainedMessages: 100,
  retainedBytes: 512 * 1024,
  /** Total of all devices, queued and retained. */
  keptBytes: 256 * 1024 * 1024,
  enrolMs: 30_000,
  /** Of one account of a foreign source: connections, and messages, of which QoS 1 waits and QoS 0 is dropped. */
  sourceConnections: 20,
  sourceMessagesPerSecond: 200,
  sourceBurst: 2_000,
} as const
