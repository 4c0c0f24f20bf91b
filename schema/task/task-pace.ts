/** When a task will have ended, from its own pace; or why nobody can say. Pure. */
import { takesAtOnce } from './task-guard.ts'

export const noEstimateReasons = ['completed', 'notStarted', 'paused', 'tooEarly', 'offlineOnly'] as const
export type NoEstimate = (typeof noEstimateReasons)[number]

/** How long devices take is the mean of the last so many that ended. */
export const PACE_SAMPLE = 100
/** Fewer than this say nothing of the rest. */
const ENDED_MIN = 3
/** Who takes longer than the others has at least this share of their time still before him. */
const LATE_SHARE = 0.1

/** What is known of a task, in devices and milliseconds. */
export type Pace = {
  slowStart: boolean
  maxInFlight: number
  total: number
  /** Back since the start or the last resumption: how far a slow start has opened up. */
  done: number
  /** Ended after they were sent the command, and how long the last of them took from then; null: none has. */
  ended: number
  meanMs: number | null
  waitingOnline: number
  waitingOffline: number
  inFlight: number
  /** Since the command; null: none is in flight. */
  meanAgeMs: number | null
  youngestAgeMs: number | null
}

/** In how many rounds the waiting ones get their turn. A slow start takes more in each until it is at its limit. */
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
 * Milliseconds until the devices that are online have ended, and null for the reason; or the reason why that is
 * unknown. Devices that are offline end when they come back: nobody knows when, and they are left out.
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
  // Those in flight make room one after another, on the average when half of them are through.
  return { leftMs: leftOf(pace.meanAgeMs) + rounds * pace.meanMs, why: null }
}
