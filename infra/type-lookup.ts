/**
 * postgres.js 3.4.9 looks up array types on each new connection and waits for the answer without listening for its
 * failure: a server that ends the connection at that very moment would end the process (decision 053).
 */
import type { Sql } from './postgres.ts'

const INT_ARRAY = 1007

/** Whether this is that lookup's failure. */
export const isTypeLookup = (error: unknown): boolean =>
  error instanceof Error &&
  /\bpg_catalog\.pg_type\b.*\btyparray\b|\btyparray\b.*\bpg_catalog\.pg_type\b/s.test(
    String((error as Error & { query?: unknown }).query ?? ''),
  )

/** Another connection has looked them up: this one was not needed. Without any, arrays could not be sent at all. */
export const knowsTypes = (sql: Sql): boolean =>
  typeof (sql.options.serializers as Record<number, unknown>)[INT_ARRAY] === 'function'
