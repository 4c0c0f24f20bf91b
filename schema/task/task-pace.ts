/** Estimates when a task will have ended, from its progress so far; or why that is unknown. Pure. */
import { takesAtOnce } from './task-guard.ts'

export const noEstimateReasons = ['completed', 'notStarted', 'paused', 'tooEarly', 'offlineOnly'] as const
export type NoEstimate = (typeof noEstimateReasons)[number]

/** The duration per device is the mean of this many that ended last. */
export const PACE_SAMPLE = 100
/** With fewer results there is no estimate. */
const ENDED_MIN = 3
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
}

/** The number of rounds for the waiting devices. A slow start takes more in each until it reaches its limit. */
function roundsOf({ slowStart, maxInFlight, done, waitingOnline }: Pace): number {
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
  if (pace.meanMs === null || pace.ended < Math.min(ENDED_MIN, Math.ceil(pace.total / 2)))
    return unknown('tooEarly')
  const leftOf = (ageMs: number | null) =>
    ageMs === null ? 0 : Math.max((pace.meanMs ?? 0) - ageMs, (pace.meanMs ?? 0) * LATE_SHARE)
  const rounds = roundsOf(pace)
  if (rounds === 0) return { leftMs: leftOf(pace.youngestAgeMs), why: null }
  // Devices in progress free their slots one after another, on average when half of them are done.
  return { leftMs: leftOf(pace.meanAgeMs) + rounds * pace.meanMs, why: null }
}
