import { setTimeout as sleep } from 'node:timers/promises'
import { patience } from '../patience.ts'

/**
 * Polls until the result is neither null, false nor undefined; errors count as "not yet" (the process may just have
 * been killed). @throws after `timeoutMs`, with the last error.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  timeoutMs = 30_000,
  everyMs = 25,
): Promise<T> {
  const isOver = patience(timeoutMs)
  let last: unknown = null
  for (;;) {
    try {
      const answer = await ask()
      if (answer !== null && answer !== undefined && answer !== false) return answer
    } catch (error) {
      last = error
    }
    if (isOver()) throw new Error(`${what}: not within ${timeoutMs} ms${last ? ` (${String(last)})` : ''}`)
    await sleep(everyMs)
  }
}
