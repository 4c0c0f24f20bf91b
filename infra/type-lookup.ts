/**
 * postgres.js 3.4.9 looks up array types on each new connection without handling a failure: a server that ends the
 * connection at that moment would end the process (decision 053).
 */
import type { Sql } from './postgres.ts'

const INT_ARRAY = 1007

/** Whether this is the failure of that lookup. */
export const isTypeLookup = (error: unknown): boolean =>
  error instanceof Error &&
  /\bpg_catalog\.pg_type\b.*\btyparray\b|\btyparray\b.*\bpg_catalog\.pg_type\b/s.test(
    String((error as Error & { query?: unknown }).query ?? ''),
  )

/**
 * Whether another connection has loaded the types, so that this lookup was not needed. Without any, arrays could not
 * be sent at all.
 */
export const knowsTypes = (sql: Sql): boolean =>
  typeof (sql.options.serializers as Record<number, unknown>)[INT_ARRAY] === 'function'
