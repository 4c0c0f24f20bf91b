/**
 * How a stopping broker disconnects its devices: a few at a time, so that the other brokers can take them
 * over.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Guard } from './guard.ts'

const STEP_MS = 100
/** Load balancers check readiness every few seconds: for this share of the time we only wait for that. */
const NOTICE_SHARE = 0.3

/**
 * Closes connections evenly over `ms`. Those with unacknowledged publishes come last; connections that are still open
 * at the end, or were opened meanwhile, are left to `close`.
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
