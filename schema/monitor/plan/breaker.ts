/**
 * A circuit breaker: a slave that does not respond is no longer polled, so that it does not use up the time of the
 * others on its bus: ten meters at 9600 baud take 40 % of it, and one dead meter among them would take 120 %.
 */

/** `failures` in a row. open: nothing is sent but one probe at `probeAt`. */
export type Breaker =
  | { state: 'closed'; failures: number }
  | { state: 'open'; since: number; probes: number; probeAt: number }

export const closedBreaker: Breaker = { state: 'closed', failures: 0 }

/** Tries that failed in a row, retries included: a slave that dies costs three timeouts, however many retries it has. */
const OPENS_AFTER = 3
const PROBE_DELAYS_MS = [5_000, 10_000, 20_000, 40_000, 60_000]
/** Jitter, so that slaves that failed together, such as after a power cut, are not probed together forever. */
const SPREAD = 0.2

const at = <T>(list: readonly T[], index: number, last: T): T => list[index] ?? list.at(-1) ?? last

/** @param random between 0 and 1 */
const probeDelay = (probes: number, random: number) =>
  at(PROBE_DELAYS_MS, probes, 60_000) * (1 + SPREAD * (2 * random - 1))

/**
 * After each try, of a request or of a probe. An exception of the slave is an answer; timeouts, damaged frames and the
 * exception "target silent" of a converter are failures.
 */
export function afterTry(breaker: Breaker, answered: boolean, now: number, random: number): Breaker {
  if (answered) return closedBreaker
  if (breaker.state === 'open') {
    const probes = breaker.probes + 1
    return { ...breaker, probes, probeAt: now + probeDelay(probes, random) }
  }
  const failures = breaker.failures + 1
  if (failures < OPENS_AFTER) return { state: 'closed', failures }
  return { state: 'open', since: now, probes: 0, probeAt: now + probeDelay(0, random) }
}

/**
 * The share of a bus's time for all its probes: a token bucket that fills slowly, so that a hundred dead slaves cost
 * little.
 */
export type ProbeBudget = { ms: number; at: number }
const PROBE_SHARE = 0.1
/** Enough for a few slaves with a long timeout. */
const BUDGET_MAX_MS = 3_000

export const freshBudget = (now: number): ProbeBudget => ({ ms: BUDGET_MAX_MS, at: now })

/** null: not now. @param costMs the timeout of the probe */
export function spendProbe(budget: ProbeBudget, costMs: number, now: number): ProbeBudget | null {
  const ms = Math.min(BUDGET_MAX_MS, budget.ms + PROBE_SHARE * Math.max(0, now - budget.at))
  // A probe longer than the bucket is paid for afterwards, by waiting.
  return ms >= Math.min(costMs, BUDGET_MAX_MS) ? { ms: ms - costMs, at: now } : null
}

const CONNECT_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000]
/** Between two attempts to connect to a host. @param failures in a row, at least 1 */
export const connectDelay = (failures: number, random: number) =>
  at(CONNECT_DELAYS_MS, failures - 1, 60_000) * (1 + SPREAD * (2 * random - 1))

/** When all slaves behind a connection are silent, the connection itself may be dead: not oftener than this. */
export const RECONNECT_SILENT_MS = 60_000
