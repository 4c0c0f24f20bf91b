/** Decides which simulated failure an item has, if any: the same for the same seed and item. */
import { type TaskFailure, taskFailures } from '#schema/kit/task-kind'
import { share } from './random.ts'

export type FaultShares = Partial<Record<TaskFailure, number>>

/** The shares are laid end to end from 0 to 1; the rest succeeds. */
export function decideFault(shares: FaultShares, seed: number, item: string): TaskFailure | null {
  const drawn = share(seed, item, 'fault')
  let reached = 0
  for (const failure of taskFailures) {
    reached += shares[failure] ?? 0
    if (drawn < reached) return failure
  }
  return null
}
