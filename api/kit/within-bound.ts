/** Enforces a maximum number of rows: inserts for the same owner are serialized, so that the count is correct. */
import { type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import type { Context } from '#infra/context'

export type Transaction = Parameters<Parameters<Context['db']['transaction']>[0]>[0]

type Bound = {
  table: PgTable
  /** The rows that count, all of one owner. */
  where: SQL | undefined
  /** The owner of the rows: identifies the lock together with the table. */
  owner: string | number | null
  max: number
  full: () => never
}

/**
 * Runs `add` in a transaction if there are fewer rows than `max`. The lock ends with the transaction. @throws what
 * `full` throws
 */
export function withinBound<T>(
  { db }: Pick<Context, 'db'>,
  bound: Bound,
  add: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const lock = `${getTableConfig(bound.table).name} ${bound.owner}`
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`)
    if ((await tx.$count(bound.table, bound.where)) >= bound.max) bound.full()
    return await add(tx)
  })
}
