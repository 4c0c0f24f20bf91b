/** Estimates when a task will have ended, from its progress so far; or why that is unknown. Pure. */
import { takesAtOnce } from './task-guard.ts'

export const noEstimateReasons = [
  'completed',
  'notStarted',
  'paused',
  'tooEarly',
  'offlineOnly',
  'hours',
] as const
export type NoEstimate = (typeof noEstimateReasons)[number]

/** The duration per device is the mean of this many that ended last. */
export const PACE_SAMPLE = 100
/** With fewer results there is no estimate. */
const ENDED_MIN = 3
/** The rate is that of the devices that ended within so long. */
export const RATE_WINDOW_MS = 15 * 60_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** A device that takes longer than the others is assumed to need at least this share of their time. */
const LATE_SHARE = 0.1

/** The state of a task, in devices and milliseconds. */
export type Pace = {
  slowStart: boolean
  maxInFlight: number
  total: number
  /** Done since the start or the last resumption: determines the current limit of a slow start. */
  done: number
  /** Ended after they were sent the command, and the duration of the last of them; null: none yet. */
  ended: number
  meanMs: number | null
  waitingOnline: number
  waitingOffline: number
  inFlight: number
  /** Mean time since the command; null: none is in progress. */
  meanAgeMs: number | null
  youngestAgeMs: number | null
  /** Ended within RATE_WINDOW_MS after they were sent the command, and the time since the first was; null: none was. */
  endedLately: number
  sinceFirstMs: number | null
  /** Waves that have not begun: each takes at least a round. */
  wavesLeft: number
  /** Its devices get it at certain hours of their own day only. */
  hours: boolean
}

/** Devices per hour of late; null: too early to say, or none. */
export function ratePerHour({
  endedLately,
  sinceFirstMs,
}: Pick<Pace, 'endedLately' | 'sinceFirstMs'>): number | null {
  if (endedLately === 0 || sinceFirstMs === null) return null
  const spanMs = Math.max(MINUTE_MS, Math.min(RATE_WINDOW_MS, sinceFirstMs))
  return Math.round((endedLately * HOUR_MS) / spanMs)
}

/** The number of rounds for the waiting devices: of their waves, or of the limit. */
const roundsOf = (pace: Pace): number => Math.max(pace.wavesLeft, roundsOfLimit(pace))

/** A slow start takes more in each round until it reaches its limit. */
function roundsOfLimit({ slowStart, maxInFlight, done, waitingOnline }: Pace): number {
  let rounds = 0
  let proven = done
  let left = waitingOnline
  while (left > 0) {
    const room = takesAtOnce(slowStart, maxInFlight, proven)
    if (room >= maxInFlight || !slowStart) return rounds + Math.ceil(left / room)
    left -= room
    proven += room
    rounds++
  }
  return rounds
}

/**
 * Milliseconds until the online devices have ended, and null for the reason; or the reason why that is unknown.
 * Offline devices are left out, because it is unknown when they come back.
 */
export function estimateLeft(
  task: { status: 'ongoing' | 'completed'; started: boolean; paused: boolean },
  pace: Pace,
): { leftMs: number; why: null } | { leftMs: null; why: NoEstimate } {
  const unknown = (why: NoEstimate) => ({ leftMs: null, why })
  if (task.status === 'completed') return unknown('completed')
  if (task.paused) return unknown('paused')
  if (!task.started) return unknown('notStarted')
  if (pace.inFlight + pace.waitingOnline === 0)
    return unknown(pace.waitingOffline > 0 ? 'offlineOnly' : 'completed')
  if (pace.hours && pace.waitingOnline > 0) return unknown('hours')
  if (pace.meanMs === null || pace.ended < Math.min(ENDED_MIN, Math.ceil(pace.total / 2)))
    return unknown('tooEarly')
  const leftOf = (ageMs: number | null) =>
    ageMs === null ? 0 : Math.max((pace.meanMs ?? 0) - ageMs, (pace.meanMs ?? 0) * LATE_SHARE)
  const rounds = roundsOf(pace)
  if (rounds === 0) return { leftMs: leftOf(pace.youngestAgeMs), why: null }
  // Devices in progress free their slots one after another, on average when half of them are done.
  return { leftMs: leftOf(pace.meanAgeMs) + rounds * pace.meanMs, why: null }
}
