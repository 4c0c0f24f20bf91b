/**
 * Whether the platform serves files. Interval of an api process's heartbeat; without one for three times as long no
 * process serves files.
 */
export const SERVING_BEAT_MS = 2_000
export const SERVING_LOST_MS = 3 * SERVING_BEAT_MS
