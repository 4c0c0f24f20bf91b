/** PostgreSQL ends one of two transactions that wait for each other; the one it chose only has to be run again. */
import { setTimeout as sleep } from 'node:timers/promises'

const DEADLOCK = '40P01'
const TRIES = 10
/** Before the second try, at most; then twice as long each time. The other transaction is given time to finish. */
const PAUSE_MS = 10

/** Of either driver, and as Drizzle wraps it. */
function isDeadlock(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  return code === DEADLOCK || cause?.code === DEADLOCK
}

/**
 * Runs `work` again when it was ended by a deadlock, up to ten times in all. `work` must be one statement or one whole
 * transaction: PostgreSQL has undone all of it. @throws whatever else it throws, and the last deadlock.
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
