/** How long tests wait. */

/** Of the time between two looks no more counts: the machine stood still in the rest of it, and nothing could happen. */
const BETWEEN_LOOKS_MS = 1_000

/**
 * Asked after each look whether what a test waits for should have happened. A machine that stands still for longer than
 * `maxMs`, as shared ones do, does not use it up, and there is always a look after the standstill.
 */
export function patience(maxMs: number): () => boolean {
  let leftMs = maxMs
  let lookedAt = performance.now()
  return () => {
    const now = performance.now()
    leftMs -= Math.min(now - lookedAt, BETWEEN_LOOKS_MS)
    lookedAt = now
    return leftMs < 0
  }
}
