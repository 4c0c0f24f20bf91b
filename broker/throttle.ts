/**
 * Limits CONNECTs per address (IPv6: per network). The total limit is generous: 10,000 devices behind one NAT
 * may reconnect at once. The limit of failed ones is strict: their response is delayed, and beyond a number
 * of delayed ones they are closed; valid logins from the same address are not affected.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { networkOf } from '#schema/kit/address'

const WINDOW_MS = 60_000
export const throttleLimits = { connectsPerWindow: 60_000, freeFailures: 10 } as const
const DELAY_MS = 1_000
const WAITING_MAX = 100

type Counted = { since: number; connects: number; failures: number; waiting: number }

type Options = {
  now?(): number
  /**
   * A connection was closed without a response; `first` is true for the first of this address within a
   * minute.
   */
  tooMany?(ip: string, first: boolean): void
}

export function openThrottle({ now = () => performance.now(), tooMany = () => undefined }: Options = {}) {
  const addresses = new Map<string, Counted>()

  function of(address: string): Counted {
    const ip = networkOf(address)
    const found = addresses.get(ip)
    if (found && now() - found.since < WINDOW_MS) return found
    // The same object: those that wait now say so in it when they are done.
    if (found) return Object.assign(found, { since: now(), connects: 0, failures: 0 })
    if (addresses.size > 50_000) addresses.clear()
    const made = { since: now(), connects: 0, failures: 0, waiting: 0 }
    addresses.set(ip, made)
    return made
  }

  return {
    /** Returns false if there are too many connections from the address: close without a response. */
    admit: (ip: string): boolean => {
      const over = ++of(ip).connects - throttleLimits.connectsPerWindow
      if (over > 0) tooMany(ip, over === 1)
      return over <= 0
    },
    /**
     * Reports a wrong credential and waits for the delay of its response; returns false if it must be closed
     * without one.
     */
    failed: async (ip: string): Promise<boolean> => {
      const counted = of(ip)
      if (++counted.failures <= throttleLimits.freeFailures) return true
      if (counted.waiting >= WAITING_MAX) return false
      counted.waiting++
      await sleep(DELAY_MS)
      counted.waiting--
      return true
    },
  }
}
export type Throttle = ReturnType<typeof openThrottle>
