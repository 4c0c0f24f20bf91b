/** How long tests wait, and what they measure, on a machine that may stand still. */
import { threadMs } from './thread-time.ts'

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

/** A process that has nothing else to do looks at a timer at least this often, also on a machine under load. */
const LOOK_MAX_MS = 100

/** Calls `look` often, with how long it has not looked, and how much of that the process stood still. Returns how to end it. */
function watchStandstills(look: (ms: number, stoodMs: number) => void): () => void {
  let lookedAt = performance.now()
  let workedMs = threadMs()
  const measure = () => {
    const [now, worked] = [performance.now(), threadMs()]
    const ms = now - lookedAt
    look(ms, Math.max(0, ms - LOOK_MAX_MS - (worked - workedMs)))
    lookedAt = now
    workedMs = worked
  }
  const timer = setInterval(measure, 10)
  return () => {
    clearInterval(timer)
    measure()
  }
}

/**
 * Begins to measure how long something takes in this process, and returns how to end it. Time in which the process stood still,
 * because its machine did, does not count; time in which it was busy does. So a bound of the product can be judged on a
 * machine that sometimes stops for seconds.
 * @returns milliseconds
 */
export function stopwatch(): () => number {
  let total = 0
  const end = watchStandstills((ms, stoodMs) => {
    total += ms - stoodMs
  })
  return () => {
    end()
    return total
  }
}

/** The same for what compares times that were written down: how long the process stood still at most, in milliseconds. */
export function longestStandstill(): () => number {
  let longest = 0
  const end = watchStandstills((_ms, stoodMs) => {
    longest = Math.max(longest, stoodMs)
  })
  return () => {
    end()
    return longest
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
