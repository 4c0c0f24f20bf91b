/** A request that arrives while another transaction has not ended. */
import type { Sql, TransactionSql } from 'postgres'
import { expect, vi } from 'vitest'

/** Until some transaction of the test's database waits for another one. */
const someoneWaits = (sql: Sql) =>
  vi.waitFor(
    async () =>
      expect(
        await sql`
          select from pg_locks l join pg_stat_activity a on a.pid = l.pid and a.datname = current_database()
          where not l.granted`,
      ).not.toHaveLength(0),
    15_000,
  )

/**
 * Makes the request once `before` is done and not committed; when it waits for that, or has ended, `after` is done and all is
 * committed. Returns what the request returns.
 */
export async function meanwhile<T>(
  sql: Sql,
  request: () => Promise<T>,
  before: (tx: TransactionSql) => Promise<unknown>,
  after: (tx: TransactionSql) => Promise<unknown> = async () => undefined,
): Promise<T> {
  const made = await sql.begin(async (tx) => {
    await before(tx)
    const asked = request()
    await Promise.race([asked, someoneWaits(sql)])
    await after(tx)
    // In an object: the transaction would await it, and it waits for the transaction.
    return { asked }
  })
  return made.asked
}
