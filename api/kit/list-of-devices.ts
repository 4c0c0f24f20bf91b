/** Lists of objects that belong to devices, in a large fleet: the page is found first, then filled. */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { PgSelect } from 'drizzle-orm/pg-core'
import type { ListCall } from '#schema/kit/list'
import { devices } from '#schema/tables/device'
import { printers } from '#schema/tables/printer'
import { terminals } from '#schema/tables/terminal'
import { type CallContext, type Handler, handler } from './handler.ts'
import type { Answering, AsDeclared, RowOf, Rows } from './list-of.ts'
import { type Asking, type ListBody, questionOf } from './list-question.ts'
import { ofDevices, ofSerial } from './of-devices.ts'
import { page } from './paging.ts'
import { visible } from './scope.ts'

const tables = { printers, terminals }

/** Ids of a page in order, to be joined with the displayed columns; `total` is in every row, or null. */
function find(
  db: CallContext['db'],
  table: (typeof tables)[keyof typeof tables],
  body: ListBody,
  where: SQL | undefined,
  order: SQL[],
) {
  // Page and count in one query, because searching is the expensive part. Not when sorting by serial number: the
  // devices' index has that order, and counting would read and sort all of them.
  const bySerialNumber = body.sort === 'deviceSn'
  const total = bySerialNumber
    ? sql<number | null>`null::int`
    : sql<number | null>`count(*) over ()`.mapWith(Number)
  const finding = db
    .select({ id: table.id, total: total.as('total') })
    .from(table)
    .$dynamic()
  if (bySerialNumber) finding.innerJoin(devices, eq(devices.id, table.deviceId))
  return finding
    .where(where)
    .orderBy(...order)
    .limit(body.limit)
    .offset(page(body))
    .as('found')
}

type Listing<C extends ListCall> = Pick<Asking<C>, 'by' | 'filters'> & {
  /** The columns for the found ones, including `found.total`. */
  readonly rows: (found: ReturnType<typeof find>) => Rows
}

/** Like `listOf`; visibility, search and filters are those of the device. */
export function listOfDevices<C extends ListCall, L extends Listing<C>>(
  call: C,
  start: keyof typeof tables,
  listing: (
    ctx: CallContext,
  ) => L &
    Answering<C, L, 'deviceId' | 'deviceSn'> &
    AsDeclared<C, Omit<RowOf<ReturnType<L['rows']>>, 'total'>>,
): Handler {
  return handler(call as ListCall, async (ctx, parsed) => {
    const { db, actor } = ctx
    const body = parsed as ListBody
    const { by, filters, rows }: Listing<ListCall> = listing(ctx)
    const table = tables[start]
    const asking = {
      table,
      filters: { ...filters, deviceId: (id: number) => eq(table.deviceId, id) },
      known: [devices.sn],
      finds: { deviceSn: (text: string) => ofSerial(db, table.deviceId, text) },
    }
    const columns = { ...by, deviceSn: devices.sn }
    const { conditions, order } = questionOf(call, asking, columns, body)
    const where = and(ofDevices(db, table.deviceId, visible(actor)[start]), ...conditions)
    const query = rows(find(db, table, body, where, order)).$dynamic() as PgSelect
    const found = (await query.orderBy(...order)) as { total: number | null }[]
    return {
      list: found.map(({ total: _, ...row }) => row),
      // Beyond the last page there is no row that contains the total.
      total: found[0]?.total ?? (found.length === 0 && body.offset === 1 ? 0 : await db.$count(table, where)),
    }
  })
}
