/** PostgreSQL aborts one of two deadlocked transactions; that one can simply be retried. */
import { setTimeout as sleep } from 'node:timers/promises'

const DEADLOCK = '40P01'
const TRIES = 10
/** Maximum pause before the second try; doubled each time, so that the other transaction can finish. */
const PAUSE_MS = 10

/** From either driver, and as wrapped by Drizzle. */
function isDeadlock(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  return code === DEADLOCK || cause?.code === DEADLOCK
}

/**
 * Runs `work` again if a deadlock aborted it, up to ten times in total. `work` must be one statement or one whole
 * transaction, which PostgreSQL has rolled back completely. @throws any other error, and the last deadlock.
 */
export async function retryDeadlocks<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++)
    try {
      return await work()
    } catch (error) {
      if (tried === TRIES || !isDeadlock(error)) throw error
      await sleep(Math.random() * PAUSE_MS * 2 ** (tried - 1))
    }
}
