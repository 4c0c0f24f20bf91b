/** A page of rows that belong to devices, and how many there are. */
import { asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Context } from '#infra/context'
import { devices } from '#schema/tables/device'
import type { printers } from '#schema/tables/printer'
import type { terminals } from '#schema/tables/terminal'
import { page } from './paging.ts'

type Asked = { offset: number; limit: number; sort?: string | undefined; order?: 'asc' | 'desc' | undefined }

/**
 * `found` are the ids of the page, to be joined with what is shown of them in the same `order`; `told` makes the answer
 * of these rows. Page and count come of one reading: what is searched is the dear part. Only by serial number they do
 * not: the devices' index has that order, and whoever counts as well reads and sorts all of them.
 */
export function pageOfDevices(
  db: Context['db'],
  table: typeof printers | typeof terminals,
  body: Asked,
  column: SQL | PgColumn,
  where: SQL | undefined,
) {
  const bySerialNumber = body.sort === 'deviceSn'
  // A serial number is never unknown, and backwards the index has unknown ones first.
  const down = bySerialNumber ? desc(column) : sql`${column} desc nulls last`
  const order = [body.order === 'desc' ? down : sql`${column} asc nulls last`, asc(table.id)]
  const total = bySerialNumber
    ? sql<number | null>`null::int`
    : sql<number | null>`count(*) over ()`.mapWith(Number)
  const finding = db
    .select({ id: table.id, total: total.as('total') })
    .from(table)
    .$dynamic()
  if (bySerialNumber) finding.innerJoin(devices, eq(devices.id, table.deviceId))
  const found = finding
    .where(where)
    .orderBy(...order)
    .limit(body.limit)
    .offset(page(body))
    .as('found')
  const told = async <R extends { total: number | null }>(rows: readonly R[]) => ({
    list: rows.map(({ total: _, ...row }) => row),
    // Behind the last page there is no row to tell it.
    total: rows[0]?.total ?? (rows.length === 0 && body.offset === 1 ? 0 : await db.$count(table, where)),
  })
  return { found, order, told }
}
