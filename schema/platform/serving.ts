/** Whether the platform serves files. An api process writes a beat this often; without one for three times as long nobody serves. */
export const SERVING_BEAT_MS = 2_000
export const SERVING_LOST_MS = 3 * SERVING_BEAT_MS
