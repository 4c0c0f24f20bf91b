/** The progress bar of a task: nine segments, and the filter for the devices of each. */

import type { ReplyOf } from '#schema/kit/call'
import { stepRank, type TaskStep, taskSteps } from '#schema/kit/task-kind'
import type { TaskOutcome } from '#schema/task/moves'
import type { getTask, TaskCounts } from '#schema/task/task-calls'

type Task = ReplyOf<typeof getTask>
type Wave = Pick<Task['waves'][number], 'state' | 'active' | 'waiting' | 'soaking'>
type Lane = Pick<Task['waves'][number], 'nth' | 'active' | 'waiting' | 'soaking'>
type Paused = {
  paused: Pick<NonNullable<Task['paused']>, 'reason'> | null
  wave: number
  waves: readonly Lane[]
  retries: Task['retries']
}

export const segmentNames = [...taskSteps, 'failed', 'cancelled'] as const
export type SegmentName = (typeof segmentNames)[number]

export type Segment = { name: SegmentName; count: number; share: number }

/** All nine, or those of the kind, in the order in which a device passes them; shares 0–1. */
export const segmentsOf = (counts: TaskCounts, steps: readonly TaskStep[] = taskSteps): readonly Segment[] =>
  [...steps, 'failed' as const, 'cancelled' as const].map((name) => ({
    name,
    count: counts[name],
    share: counts.total === 0 ? 0 : counts[name] / counts.total,
  }))

/** Share of ended items, whatever the outcome; 0–1. */
export const endedShare = ({ done, failed, cancelled, total }: TaskCounts) =>
  total === 0 ? 0 : (done + failed + cancelled) / total

/** Devices of an ended wave that are not done: some may have been retried since. */
export const unfinishedOf = ({ state, active, waiting, soaking }: Wave, status: Task['status']): number =>
  status === 'completed' || state === 'waiting' || state === 'running' ? 0 : active + waiting + soaking

/**
 * Of a task that paused because a wave fell short or too many devices failed: the wave that continues with devices that
 * were retried or still wait, or the next one, which begins at once because failures so far no longer count; null: neither.
 */
export function waveAfterResume({ paused, wave, waves, retries }: Paused) {
  // What the platform will retry keeps its wave from ending.
  const isStopped = paused?.reason === 'failures' && retries.length === 0
  if (paused?.reason !== 'wave' && !isStopped) return null
  const open = (lane: Lane | undefined) => (lane ? lane.active + lane.waiting + lane.soaking : 0)
  const at = (nth: number) => waves.find((lane) => lane.nth === nth)
  if (open(at(wave)) > 0) return { nth: wave, again: true, devices: open(at(wave)) }
  const devices = open(at(wave + 1))
  return devices > 0 ? { nth: wave + 1, again: false, devices } : null
}

/** Numbers of devices that cancelling would stop immediately, and that it cannot stop. */
export function cancelMeans(counts: TaskCounts, lockedFrom: TaskStep = 'upgrading') {
  const waiting = counts.created
  const sum = (steps: readonly TaskStep[]) => steps.reduce((total, step) => total + counts[step], 0)
  const sent = taskSteps.filter((step) => step !== 'created' && step !== 'done')
  const locked = sum(sent.filter((step) => stepRank(step) >= stepRank(lockedFrom)))
  return { waiting, sent: sum(sent) - locked, locked, ended: counts.done + counts.failed + counts.cancelled }
}

/** Stored in the URL, and used in the device table's call. Empty: no filter. */
export type SegmentFilter = { step: TaskStep | ''; outcome: TaskOutcome | 'running' | ''; failure: string }

export function filterOf(name: SegmentName | null): SegmentFilter {
  if (name === null) return { step: '', outcome: '', failure: '' }
  if (name === 'done' || name === 'failed' || name === 'cancelled')
    return { step: '', outcome: name, failure: '' }
  return { step: name, outcome: '', failure: '' }
}

/** The segment of a filter; null: none, or a filter that is no segment. */
export function segmentOf(filter: { step: string; outcome: string; failure: string }): SegmentName | null {
  return (
    segmentNames.find((name) => {
      const one = filterOf(name)
      return one.step === filter.step && one.outcome === filter.outcome && filter.failure === ''
    }) ?? null
  )
}
