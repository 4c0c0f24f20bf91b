/**
 * Handlers of declared lists. The call declares its search, sorts and filters, and the direction of each sort; its
 * handler defines rows and columns. Search, order, page and count are derived from both.
 */
import { and, count, eq, gte, is, type SQL, sql } from 'drizzle-orm'
import { PgColumn, type PgSelect } from 'drizzle-orm/pg-core'
import type { GivenReplyOf, ParsedBodyOf } from '#schema/kit/call'
import type { ListCall } from '#schema/kit/list'
import { devices } from '#schema/tables/device'
import { amongIds } from './among-ids.ts'
import { countSome, searchedSince } from './bounded-count.ts'
import { type CallContext, type Handler, handler } from './handler.ts'
import { reachHistory } from './history.ts'
import { type Asking, type Column, type Filter, type ListBody, questionOf } from './list-question.ts'
import { page } from './paging.ts'
import { visible } from './scope.ts'
import { isStored, type Stored } from './stored.ts'

type Visible = ReturnType<typeof visible>
type ScopeName = { [K in keyof Visible]: Visible[K] extends SQL | undefined ? K : never }[keyof Visible]
type PastOfDevice = { deviceId: PgColumn; at: PgColumn }

/**
 * The rows of a list: those that the actor may see, given by their name in `visible` or by their kind of object; or the
 * history of the device in the body, as far back as the actor may read it.
 */
type Start = ScopeName | Stored | PastOfDevice

/** A select up to its joins. */
export type Rows = {
  readonly _: { readonly selection: unknown; readonly result: readonly unknown[] }
  $dynamic(): unknown
}
/**
 * For lists over many devices: the page is found first, with only the columns that `pick` returns, then its rows are read with
 * all columns. `ids` are those of the page then, for what is counted per row and needs no other rows.
 */
type RowsOfPage = (pick: <T>(columns: T) => T, ids?: readonly number[]) => Rows
type Listing<C extends ListCall> = Asking<C> & {
  readonly rows: Rows | RowsOfPage
  /** Additional condition, independent of the body. */
  readonly where?: SQL | undefined
  /** Conditions use joined tables, so they are joined for counting as well. */
  readonly countJoined?: boolean
}

type Read<R extends Rows | RowsOfPage> = R extends RowsOfPage ? ReturnType<R> : R
type RowOf<R extends Rows | RowsOfPage> = Read<R> extends Rows ? Read<R>['_']['result'][number] : never
type ColumnsOf<R extends Rows | RowsOfPage> = Read<R> extends Rows ? Read<R>['_']['selection'] : never
type Given<C extends ListCall> = GivenReplyOf<C> extends { list: readonly (infer R)[] } ? R : never
type Soon<T> = T | Promise<T>

type Names<T, P extends string> = T extends { [K in P]: infer V } ? keyof V : never
/** Sorts, searched fields and filters without a column. */
type Unanswered<C extends ListCall, L, Known> = Exclude<
  C['sorts'][number] | (L extends { condition: unknown } ? never : C['searches'][number] | Filter<C>),
  Names<L, 'by'> | Names<L, 'filters'> | Names<L, 'finds'> | Known
>
/** The differences between a row and the declaration. */
type Differing<D, R> =
  | {
      [K in keyof D & string]: K extends keyof R
        ? R[K] extends D[K]
          ? never
          : K
        : undefined extends D[K]
          ? never
          : K
    }[keyof D & string]
  | Exclude<keyof R & string, keyof D>

/** Empty for a listing without faults; otherwise the compiler's message names them. */
type Faultless<F extends string> = [F] extends [never] ? unknown : Record<F, never>
/** `Known`: names provided by the row's columns, or the start of the list. */
type Answering<C extends ListCall, L, Known> = Faultless<`no column for ${Unanswered<C, L, Known> & string}`>
type AsDeclared<C extends ListCall, R> = Faultless<`${Differing<Given<C>, R>} is not as declared`>
type Known<S extends Start, L extends Listing<never>> =
  | keyof ColumnsOf<L['rows']>
  | (S extends PastOfDevice ? 'deviceId' : never)

async function startOf(start: Start, ctx: CallContext, body: object): Promise<SQL | undefined> {
  if (typeof start === 'string') return visible(ctx.actor)[start]
  if (isStored(start)) return start.seen(visible(ctx.actor), ctx.actor)
  const device = await reachHistory(ctx, (body as { deviceId: number }).deviceId)
  return and(eq(start.deviceId, device.id), gte(start.at, device.since))
}

type Place = { readonly order: SQL[]; readonly limit: number; readonly offset: number }
type Tie = { readonly column: Column; readonly tie: PgColumn }

/** Devices have indexes for their orders: then the first ones are found without reading, and counting, all of them. */
const hasIndex = (column: Column) => is(column, PgColumn) && column.table === devices

/**
 * The rows of a page in two steps, and the number of all, counted together with the search for the page if that reads all of them anyway. The
 * planner leaves out the joins that ids do not need.
 */
async function fillPage(
  rows: RowsOfPage,
  { column, tie }: Tie,
  { seen, where }: { seen: SQL | undefined; where: SQL | undefined },
  { order, limit, offset }: Place,
  searched: boolean,
) {
  const apart = hasIndex(column) && !searched
  const counting = sql<number>`count(*) over ()`.mapWith(Number)
  const only = (columns: object) => rows(() => columns as never).$dynamic() as PgSelect
  const total = async () => ((await only({ total: count() }).where(where))[0] as { total: number }).total
  const found = only({ id: tie, ...(apart ? {} : { total: counting }) })
    .where(where)
    .orderBy(...order)
    .limit(limit)
    .offset(offset) as unknown as Promise<{ id: number; total?: number }[]>
  const [page, all] = await Promise.all([found, apart ? total() : undefined])
  const ids = page.map(({ id }) => id)
  const query = rows((columns) => columns, ids).$dynamic() as PgSelect
  return {
    // What has been given to another customer since the ids were read is theirs alone.
    list: ids.length > 0 ? await query.where(and(seen, amongIds(tie, ids))).orderBy(...order) : [],
    // Beyond the last page there is no row that contains the total.
    total: all ?? page[0]?.total ?? (offset === 0 ? 0 : await total()),
  }
}

/**
 * Handles a declared list: `listing` defines rows and columns, `tell` converts the rows of a page if they differ from
 * the reply. One statement, and another one for counting if the page does not reveal the total.
 */
export function listOf<C extends ListCall, S extends Start, L extends Listing<C>>(
  call: C,
  start: S,
  listing: (
    ctx: CallContext,
    body: ParsedBodyOf<C>,
  ) => Soon<L & Answering<C, L, Known<S, L>> & AsDeclared<C, RowOf<L['rows']>>>,
): Handler
export function listOf<C extends ListCall, S extends Start, L extends Listing<C>, R extends Given<C>>(
  call: C,
  start: S,
  listing: (ctx: CallContext, body: ParsedBodyOf<C>) => Soon<L & Answering<C, L, Known<S, L>>>,
  tell: (
    rows: RowOf<L['rows']>[],
    ctx: CallContext,
    body: ParsedBodyOf<C>,
  ) => Soon<readonly (R & AsDeclared<C, R>)[]>,
): Handler
export function listOf(
  call: ListCall,
  start: Start,
  listing: (ctx: CallContext, body: never) => Soon<Listing<ListCall>>,
  tell: (rows: never[], ctx: CallContext, body: never) => Soon<readonly unknown[]> = (rows) => rows,
): Handler {
  return handler(call, async (ctx, parsed) => {
    const body = parsed as ListBody
    const seen = await startOf(start, ctx, body)
    const found = await listing(ctx, body as never)
    const read = found.rows
    const query = (typeof read === 'function' ? read((all) => all) : read).$dynamic() as PgSelect
    const columns = { ...query._.selectedFields, ...found.by }
    const ofDevice = typeof start !== 'string' && !isStored(start)
    const filters = { ...found.filters, ...(ofDevice ? { deviceId: null } : {}) }
    const { conditions, order, column, tie } = questionOf(call, { ...found, filters }, columns, body)
    const since = call.past ? await searchedSince(ctx.db, found.table, column, seen, body.search) : null
    const where = and(seen, found.where, ...conditions, since ?? undefined)
    if (typeof read === 'function') {
      const place = { order, limit: body.limit, offset: page(body) }
      const { list, total } = await fillPage(
        read,
        { column, tie },
        { seen, where },
        place,
        Boolean(body.search),
      )
      return { list: await tell(list as never[], ctx, body as never), total }
    }
    query.where(where)
    const counted = ctx.db
      .select({ total: count() })
      .from(found.countJoined ? query.as('found') : found.table)
      .where(found.countJoined ? undefined : where)
    const paged = query
      .orderBy(...order)
      .limit(body.limit)
      .offset(page(body))
    if (call.past) {
      const [rows, some] = await Promise.all([paged, countSome(ctx.db, found.table, where)])
      return {
        list: await tell(rows as never[], ctx, body as never),
        ...some,
        ...(since ? { more: true } : {}),
      }
    }
    const rows = await paged
    const isLast = rows.length < body.limit && (rows.length > 0 || body.offset === 1)
    const total = isLast ? page(body) + rows.length : ((await counted)[0]?.total ?? 0)
    return { list: await tell(rows as never[], ctx, body as never), total }
  })
}
