import type { Base } from '../base.ts'

/** Spontaneous loss of the network: average interval in hours, and duration in seconds. */
const EVERY_H = 8
const LASTS_S = [20, 150] as const

/** Between two status messages, `everyMs` apart. */
export function loseNetworkAtRandom(part: Base, everyMs: number): void {
  const { world, dice } = part
  if (!world.mishaps) return
  if (dice.roll() < everyMs / (EVERY_H * 3_600_000))
    part.goOffline((dice.between(...LASTS_S) * 1000) / world.speed)
}
