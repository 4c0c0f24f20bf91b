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

/** A machine under load does not look at a timer for as long as this. */
const LOOK_MAX_MS = 100

/**
 * Begins to measure what happens in this process, and returns how to end it. What the process stands still counts at most
 * `LOOK_MAX_MS` at a time: a bound of the product is judged on a machine that sometimes stops for seconds.
 * @returns milliseconds
 */
export function stopwatch(): () => number {
  let ms = 0
  let lookedAt = performance.now()
  const look = () => {
    const now = performance.now()
    ms += Math.min(now - lookedAt, LOOK_MAX_MS)
    lookedAt = now
  }
  const timer = setInterval(look, 10)
  return () => {
    clearInterval(timer)
    look()
    return ms
  }
}

const TICK_MS = 50

/** Calls `tooLate` after this time, of which a standstill of the process counts as little. Returns how to cancel it. */
export function afterPatience(ms: number, tooLate: () => void): () => void {
  let leftMs = ms
  const timer = setInterval(() => {
    leftMs -= TICK_MS
    if (leftMs > 0) return
    clearInterval(timer)
    tooLate()
  }, TICK_MS)
  return () => clearInterval(timer)
}
