/** What one connection or device may cost [threats 7]. Times in ms, sizes in bytes. */
export const limits = {
  /** From the first packet of TCP to a login, TLS and HTTP included; looked at twice a second, so over within 10 s. */
  connectMs: 9_000,
  packetBytes: 256 * 1024,
  connectBytes: 8 * 1024,
  topicBytes: 256,
  topicLevels: 8,
  /** Keepalive 0 means "never" and 65535 is 18 hours: both are held to this. */
  keepaliveMaxS: 1200,
  /** Waiting in our memory for one reader; past it, or without any progress for `stuckMs`, he is cut. */
  outputBytes: 8 * 1024 * 1024,
  /** While all readers together hold this much, each may hold only `outputBytesTight`. */
  outputTotalBytes: 128 * 1024 * 1024,
  outputBytesTight: 512 * 1024,
  stuckMs: 10_000,
  /** QoS 0 messages for a reader who already has so much waiting are dropped: at most once allows it. */
  qos0OutputBytes: 4 * 1024 * 1024,
  /** The platform's own connections carry everybody's messages. */
  serviceOutputBytes: 64 * 1024 * 1024,
  /** Unanswered publishes of one connection; then its socket is not read until some are answered. */
  heldPerConnection: 500,
  /** Five connections of one device must not put five times as much before the samples of others. */
  heldPerAuxiliary: 100,
  /** Unanswered publishes of all; then no socket is read until half of them are answered. */
  heldRows: 40_000,
  heldBytes: 64 * 1024 * 1024,
  /** Half-open QoS 2 publishes of one connection. */
  inboundQos2: 1000,
  auxiliaryConnections: 4,
  subscriptions: 100,
  filtersPerSubscribe: 100,
  storedSessions: 8,
  queuedMessages: 1000,
  queuedBytes: 1024 * 1024,
  retainedMessages: 100,
  retainedBytes: 512 * 1024,
  /** Of all devices together, queued and retained alike. */
  keptBytes: 256 * 1024 * 1024,
  enrolMs: 30_000,
} as const
