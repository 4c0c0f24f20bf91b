/**
 * What the log says about a server or a database that is asked again and again although it fails: one line when it begins to fail, one a
 * minute while it does, one when it works again. Every failure, with its stack, would bury everything else.
 */
import type { Log } from '../log.ts'

const REPEAT_MS = 60_000

export type Outage = { failed(error: Error): void; works(): void }

/** @param what the failing thing, as the lines call it. All failures are logged at level `debug`. */
export function watchOutage(log: Log, what: string, now = () => performance.now()): Outage {
  let since: number | null = null
  let failures = 0
  let toldAt = Number.NEGATIVE_INFINITY
  return {
    failed: (error) => {
      since ??= now()
      failures++
      if (now() - toldAt < REPEAT_MS) return log.debug({ err: error }, what)
      toldAt = now()
      log.warn({ err: error, failures }, what)
    },
    works: () => {
      if (since === null) return
      // One that nothing was said about, soon after another one, ends without a line too.
      if (toldAt >= since) log.info(`${what}: works again after ${Math.round((now() - since) / 1000)} s`)
      since = null
      failures = 0
    },
  }
}
