import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

const INTEGER_MAX = 2_147_483_647

/** A set of ids as a single SQL parameter: a statement has at most 65,534. */
export const amongIds = (column: AnyPgColumn, ids: readonly number[]): SQL =>
  sql`${column} = any(${`{${ids.filter((id) => id <= INTEGER_MAX).join(',')}}`}::int[])`
