/** How a broker that is told to stop lets go of its devices: a few at a time, so that the others can take them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Guard } from './guard.ts'

const STEP_MS = 100
/** Balancers ask every few seconds whether we are ready: for this part of the time we only wait for that. */
const NOTICE_SHARE = 0.3

/**
 * Closes connections evenly over `ms`. Those with publishes that are not acknowledged yet come last; what is open at the
 * end, or comes meanwhile, is left to `close`.
 */
export async function leaveGradually(
  guards: ReadonlySet<Guard>,
  ms: number,
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<void> {
  await pause(ms * NOTICE_SHARE)
  const steps = Math.max(1, Math.floor((ms * (1 - NOTICE_SHARE)) / STEP_MS))
  for (let left = steps; left > 0; left--) {
    const idle = [...guards].filter((guard) => guard.turns.length === 0)
    for (const guard of idle.slice(0, Math.round(guards.size / left))) guard.cut('brokerStopped')
    await pause(STEP_MS)
  }
}
