/** The clock of a gateway: the offset that is subtracted from its timestamps. Pure; times in ms. */
import { REPORT_DAYS_MAX } from './wire.ts'

/** A smaller difference is ignored: the transmission of a hello takes time, too. */
const TRUSTED_MS = 5_000
/** A live report further in the future than this means that the clock was set after the last hello. */
const AHEAD_MAX_MS = 10_000
/** A live report whose corrected time is older than this, while its own is about now, shows that the clock was set back. */
const LIVE_MAX_MS = 10_000
const BEHIND_MAX_MS = REPORT_DAYS_MAX * 86_400_000

/**
 * The offset to subtract from now on, after a hello measured `skew` (its clock minus ours; null: no clock). A
 * difference of some seconds changes nothing: a report that is repeated after a reconnect must be stored under the same
 * time as before.
 */
export function clockOffset(known: number, skew: number | null): number {
  if (skew === null || Math.abs(skew - known) <= TRUSTED_MS) return known
  return Math.abs(skew) <= TRUSTED_MS ? 0 : skew
}

export type Filed = { at: number; offset: number; uncertain: boolean } | { fault: string }

/**
 * The time under which a report is stored. If the clock was set after its hello, a live report itself shows the
 * difference, in both directions: then the time of its values is marked as uncertain, because it may also be a single
 * wrong `at`, or a report that was delayed. Without the way back, one `at` in the future would shift all that follow.
 */
export function reportTime(said: number, late: boolean, offset: number, now: number): Filed {
  if (said === 0) return { fault: 'at: no clock' }
  const at = said - offset
  if (!late && at < now - LIVE_MAX_MS && Math.abs(said - now) <= AHEAD_MAX_MS)
    return { at: Math.min(said, now), offset: 0, uncertain: true }
  if (at < now - BEHIND_MAX_MS) return { fault: `at: more than ${REPORT_DAYS_MAX} days old` }
  if (at <= now + AHEAD_MAX_MS) return { at, offset, uncertain: false }
  if (late) return { fault: 'at: in the future' }
  return { at: now, offset: said - now, uncertain: true }
}
