/** The current values of declared parameters. A change reaches every process within `FRESH_MS`. */

import type { ISql } from 'postgres'
import { type ParameterKey, parameters } from '#schema/platform/parameter-list'
import type { Sql } from './postgres.ts'

/**
 * One small statement per process at this interval, and only on use. Decision 022 explains why LISTEN is not used.
 */
const FRESH_MS = 2_000

export type Parameters = {
  /**
   * In the parameter's unit: the customer's own value, else the platform's, else the default. `via`: the transaction of
   * a caller that holds a connection; waiting for another connection could deadlock.
   */
  get(key: ParameterKey, customerId?: number | null, via?: ISql): Promise<number>
  /** Clears the cache, so that a process that changed a value sees it immediately. */
  forget(): void
}

type Row = { key: string; customerId: number | null; value: number }

const nameOf = (key: string, customerId: number | null) => `${key}:${customerId ?? ''}`

export function openParameters(sql: Sql, clock: () => number = () => performance.now()): Parameters {
  let known: Map<string, number> | null = null
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<Map<string, number>> | null = null
  let forgotten = 0

  async function read(via: ISql): Promise<Map<string, number>> {
    const before = forgotten
    const rows = await via<Row[]>`select key, customer_id as "customerId", value from parameter_values`
    const found = new Map(rows.map((row) => [nameOf(row.key, row.customerId), row.value]))
    // Otherwise it may be of before the change.
    if (before === forgotten) {
      known = found
      readAt = clock()
    }
    return found
  }

  async function values(via?: ISql): Promise<Map<string, number>> {
    if (known && clock() - readAt < FRESH_MS) return known
    if (via) return read(via)
    const own = reading ?? read(sql)
    reading = own
    try {
      return await own
    } catch (error) {
      // The database is unavailable: a value from a moment ago is better than none.
      if (known) return known
      throw error
    } finally {
      if (reading === own) reading = null
    }
  }

  return {
    get: async (key, customerId = null, via) => {
      const { initial, min, max, perCustomer } = parameters[key]
      const found = await values(via)
      const own = perCustomer && customerId !== null ? found.get(nameOf(key, customerId)) : undefined
      const value = own ?? found.get(nameOf(key, null)) ?? initial
      // Set by an older version with wider bounds.
      return Math.min(max, Math.max(min, value))
    },
    forget: () => {
      readAt = Number.NEGATIVE_INFINITY
      reading = null
      forgotten++
    },
  }
}
