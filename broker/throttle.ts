/**
 * CONNECTs per address. All together generous: 10,000 devices behind one NAT reconnect at once. Failed ones
 * strict: their answer is delayed, more and more of them are just closed; the good ones beside them are not hurt.
 */
import { setTimeout as sleep } from 'node:timers/promises'

const WINDOW_MS = 60_000
const CONNECTS_PER_WINDOW = 60_000
const FREE_FAILURES = 10
const DELAY_MS = 1_000
const WAITING_MAX = 100

type Counted = { since: number; connects: number; failures: number; waiting: number }

export function openThrottle(now: () => number = () => performance.now()) {
  const addresses = new Map<string, Counted>()

  function of(ip: string): Counted {
    const found = addresses.get(ip)
    if (found && now() - found.since < WINDOW_MS) return found
    if (addresses.size > 50_000) addresses.clear()
    const made = { since: now(), connects: 0, failures: 0, waiting: found?.waiting ?? 0 }
    addresses.set(ip, made)
    return made
  }

  return {
    /** False: too many connections from there; close it unheard. */
    admit: (ip: string): boolean => ++of(ip).connects <= CONNECTS_PER_WINDOW,
    /** A wrong credential. Waits as long as its answer is to be delayed; false: close without an answer. */
    failed: async (ip: string): Promise<boolean> => {
      const counted = of(ip)
      if (++counted.failures <= FREE_FAILURES) return true
      if (counted.waiting >= WAITING_MAX) return false
      counted.waiting++
      await sleep(DELAY_MS)
      counted.waiting--
      return true
    },
  }
}
export type Throttle = ReturnType<typeof openThrottle>
