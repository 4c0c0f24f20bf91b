/** Lists that grow without end are counted and searched so far, and say where they stopped (docs/decisions/050). */
import { count, desc, gte, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Context } from '#infra/context'

/** More rows than these are not counted. */
export const COUNT_MAX = 10_000
/** A text too short for a trigram index is looked for in so many rows, the newest. */
export const SHORT_SEARCH_ROWS = 20_000
const TRIGRAM = 3
export const isShort = (search: string): boolean => [...search].length < TRIGRAM

export type Bounded = { total: number; more?: true }

/** How many rows there are, as far as they are counted; `more`: at least so many. */
export async function countSome(db: Context['db'], table: PgTable, where: SQL | undefined): Promise<Bounded> {
  const some = db
    .select({ one: sql`1`.as('one') })
    .from(table)
    .where(where)
    .limit(COUNT_MAX + 1)
    .as('some')
  const [row] = await db.select({ total: count() }).from(some)
  const total = row?.total ?? 0
  return total > COUNT_MAX ? { total: COUNT_MAX, more: true } : { total }
}

/** From which moment on a search looks; null: it looks through everything. `seen`: the rows that the actor may see. */
export async function searchedSince(
  db: Context['db'],
  table: PgTable,
  at: PgColumn,
  seen: SQL | undefined,
  search: string | undefined,
): Promise<SQL | null> {
  if (!search || !isShort(search)) return null
  const [oldest] = await db
    .select({ at: sql<Date>`${at}`.mapWith(at) })
    .from(table)
    .where(seen)
    .orderBy(desc(at))
    .offset(SHORT_SEARCH_ROWS - 1)
    .limit(1)
  return oldest ? gte(at, oldest.at) : null
}
