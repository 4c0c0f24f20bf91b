/**
 * Lists that grow without limit are counted and searched up to a limit, which the response shows
 * (docs/decisions/050).
 */
import { count, desc, gte, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Context } from '#infra/context'

/** Maximum number of rows counted. */
export const COUNT_MAX = 10_000
/** A text too short for a trigram index is searched in this number of the newest rows. */
export const SHORT_SEARCH_ROWS = 20_000
const TRIGRAM = 3
export const isShort = (search: string): boolean => [...search].length < TRIGRAM

export type Bounded = { total: number; more?: true }

/** The number of rows up to the limit; `more`: at least this many. */
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

/** The earliest time that is searched; null: everything is searched. `seen`: the rows visible to the actor. */
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
