/** Filters of both logs, as conditions on their columns. */
import { eq, gte, lte, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

type Columns = { at: PgColumn; userId: PgColumn; customerId: PgColumn }
type Asked = {
  userId?: number | undefined
  customerId?: number | undefined
  period?: string | undefined
  from?: string | undefined
  to?: string | undefined
}
const HOUR_MS = 3_600_000

export function logConditions(columns: Columns, asked: Asked, now: Date): (SQL | undefined)[] {
  const { userId, customerId, period, from, to } = asked
  return [
    userId === undefined ? undefined : eq(columns.userId, userId),
    customerId === undefined ? undefined : eq(columns.customerId, customerId),
    period === undefined ? undefined : gte(columns.at, new Date(now.getTime() - Number(period) * HOUR_MS)),
    from === undefined ? undefined : gte(columns.at, new Date(from)),
    to === undefined ? undefined : lte(columns.at, new Date(to)),
  ]
}

/** CSV of a growing log continues below the last id: a slow reader must not hold a cursor. */
export async function* readOn<R extends { id: number }>(
  next: (below: number | null, limit: number) => Promise<R[]>,
  line: (row: R) => string,
): AsyncGenerator<string> {
  for (let below: number | null = null; ; ) {
    const rows = await next(below, ROWS_AT_ONCE)
    if (rows.length > 0) yield rows.map(line).join('')
    if (rows.length < ROWS_AT_ONCE) return
    below = rows.at(-1)?.id ?? 0
  }
}
const ROWS_AT_ONCE = 1_000
