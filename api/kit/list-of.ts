/**
 * Handlers of declared lists. The call says what it searches, sorts and filters by, and where each order begins; its
 * handler says which rows and columns. Search, order, page and count follow from both.
 */
import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gte,
  ilike,
  inArray,
  is,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { type AnyPgColumn, PgColumn, type PgSelect, type PgTable } from 'drizzle-orm/pg-core'
import type { GivenReplyOf, ParsedBodyOf } from '#schema/kit/call'
import type { ListCall } from '#schema/kit/list'
import { countSome, searchedSince } from './bounded-count.ts'
import { type CallContext, type Handler, handler } from './handler.ts'
import { reachHistory } from './history.ts'
import { contains, page } from './paging.ts'
import { visible } from './scope.ts'

type Visible = ReturnType<typeof visible>
type ScopeName = { [K in keyof Visible]: Visible[K] extends SQL | undefined ? K : never }[keyof Visible]
type PastOfDevice = { deviceId: PgColumn; at: PgColumn }

/**
 * Where a list starts: rows that the actor may see, by their name in `visible`; or the past of the device that the body
 * names, as far back as the actor may read it.
 */
type Start = ScopeName | PastOfDevice

type Filter<C extends ListCall> = Exclude<
  keyof ParsedBodyOf<C> & string,
  'offset' | 'limit' | 'search' | 'sort' | 'order'
>
type Column = AnyPgColumn | SQL | SQL.Aliased
/** How a filter compares; `null`: it does not narrow the list. */
type Compare<V> = ((value: V) => SQL | undefined) | null

type Listing<C extends ListCall> = {
  /** Whose rows are listed and counted. */
  readonly table: PgTable
  /** A select as far as its joins. */
  readonly rows: {
    readonly _: { readonly selection: unknown; readonly result: readonly unknown[] }
    $dynamic(): unknown
  }
  /** Narrows the list, whatever is asked. */
  readonly where?: SQL | undefined
  /** The search and all filters as one condition, where other calls ask for the same rows. */
  readonly condition?: SQL | undefined
  /** What is sorted, searched or filtered by where the answer has no such column, or shows it otherwise. */
  readonly by?: { readonly [name: string]: Column }
  /** Of those filters that are no equality with the column of their name. */
  readonly filters?: { readonly [F in Filter<C>]?: Compare<NonNullable<ParsedBodyOf<C>[F]>> }
  /** Comes before the order that is asked for. */
  readonly first?: SQL
  /** Ends every order: unique in the list. Without, the `id` of the table. */
  readonly tie?: PgColumn
  /** Conditions read joined tables, so they are joined to count as well. */
  readonly countJoined?: boolean
}

type Selecting = Pick<Listing<ListCall>, 'rows'>
type RowOf<L extends Selecting> = L['rows']['_']['result'][number]
type Given<C extends ListCall> = GivenReplyOf<C> extends { list: readonly (infer R)[] } ? R : never
type Soon<T> = T | Promise<T>

type Names<T, P extends string> = T extends { [K in P]: infer V } ? keyof V : never
/** Sorts, searched fields and filters that no column answers. */
type Unanswered<C extends ListCall, S extends Start, L extends Listing<C>> = Exclude<
  C['sorts'][number] | (L extends { condition: unknown } ? never : C['searches'][number] | Filter<C>),
  | keyof L['rows']['_']['selection']
  | Names<L, 'by'>
  | Names<L, 'filters'>
  | (S extends PastOfDevice ? 'deviceId' : never)
>
/** What makes a row another one than the call declares. */
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

/** Nothing to add to a listing without faults; with some, the compiler's message names them. */
type Faultless<F extends string> = [F] extends [never] ? unknown : Record<F, never>
type Answering<
  C extends ListCall,
  S extends Start,
  L extends Listing<C>,
> = Faultless<`no column for ${Unanswered<C, S, L>}`>
type AsDeclared<
  C extends ListCall,
  L extends Listing<C>,
> = Faultless<`${Differing<Given<C>, RowOf<L>>} is not as declared`>

const isAsked = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

/** A column of the listed table that is never null has an index that serves both directions. */
const isKnown = (column: Column, table: PgTable) =>
  is(column, PgColumn) && column.notNull && column.table === table

const asText = (column: Column) =>
  is(column, PgColumn) && column.dataType !== 'string' ? sql`${column}::text` : (column as SQL)

async function startOf(start: Start, ctx: CallContext, body: object): Promise<SQL | undefined> {
  if (typeof start === 'string') return visible(ctx.actor)[start]
  const device = await reachHistory(ctx, (body as { deviceId: number }).deviceId)
  return and(eq(start.deviceId, device.id), gte(start.at, device.since))
}

type Body = { offset: number; limit: number; search?: string; sort?: string; order?: 'asc' | 'desc' }

/** What the declaration and the listing make of one question. */
function asked(call: ListCall, { table, rows, ...listing }: Listing<ListCall>, body: Body) {
  const query = rows.$dynamic() as PgSelect
  const columns: Readonly<Record<string, Column>> = { ...query._.selectedFields, ...listing.by }
  const columnOf = (name: string): Column => {
    const column = columns[name]
    if (!column) throw new Error(`${call.name}: no column for ${name}`)
    return column
  }
  const compare = (name: string, value: unknown): SQL | undefined => {
    if (!isAsked(value)) return undefined
    const own = (listing.filters as Readonly<Record<string, Compare<unknown>>> | undefined)?.[name]
    if (own !== undefined) return own?.(value)
    const column = columnOf(name) as PgColumn
    return Array.isArray(value) ? inArray(column, value) : eq(column, value)
  }
  const { offset: _, limit: __, search, sort = call.sorts[0] ?? '', order, ...filters } = body
  const column = columnOf(sort)
  const descending = (order ?? (call.descending.includes(sort) ? 'desc' : 'asc')) === 'desc'
  const tie = listing.tie ?? getTableColumns(table)['id']
  if (!tie) throw new Error(`${call.name}: nothing ends its orders`)
  const pattern = search === undefined || search === '' ? undefined : contains(search)
  return {
    query,
    conditions:
      'condition' in listing
        ? [listing.condition]
        : [
            ...Object.entries(filters).map(([name, value]) => compare(name, value)),
            pattern ? or(...call.searches.map((name) => ilike(asText(columnOf(name)), pattern))) : undefined,
          ],
    // Unknown values come last in both directions; what ties follows the direction, so that one index serves both.
    order: [
      ...(listing.first ? [listing.first] : []),
      ...(descending
        ? [isKnown(column, table) ? desc(column) : sql`${column} desc nulls last`, desc(tie)]
        : [asc(column), asc(tie)]),
    ],
    column: column as PgColumn,
  }
}

/**
 * Handles a declared list: `listing` says which rows and columns, `tell` makes the answer of the rows of a page where
 * that is not the same. One statement, and another to count where the page does not tell how many there are.
 */
export function listOf<C extends ListCall, S extends Start, L extends Listing<C>>(
  call: C,
  start: S,
  listing: (ctx: CallContext, body: ParsedBodyOf<C>) => Soon<L & Answering<C, S, L> & AsDeclared<C, L>>,
): Handler
export function listOf<C extends ListCall, S extends Start, L extends Listing<C>>(
  call: C,
  start: S,
  listing: (ctx: CallContext, body: ParsedBodyOf<C>) => Soon<L & Answering<C, S, L>>,
  tell: (rows: RowOf<L>[], ctx: CallContext) => Soon<readonly Given<C>[]>,
): Handler
export function listOf(
  call: ListCall,
  start: Start,
  listing: (ctx: CallContext, body: never) => Soon<Listing<ListCall>>,
  tell: (rows: never[], ctx: CallContext) => Soon<readonly unknown[]> = (rows) => rows,
): Handler {
  return handler(call, async (ctx, parsed) => {
    const body = parsed as Body
    const seen = await startOf(start, ctx, body)
    const found = await listing(ctx, body as never)
    const filters = { ...found.filters, ...(typeof start === 'string' ? {} : { deviceId: null }) }
    const { query, conditions, order, column } = asked(call, { ...found, filters }, body)
    const since = call.past ? await searchedSince(ctx.db, found.table, column, seen, body.search) : null
    const where = and(seen, found.where, ...conditions, since ?? undefined)
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
      return { list: await tell(rows as never[], ctx), ...some, ...(since ? { more: true } : {}) }
    }
    const rows = await paged
    const isLast = rows.length < body.limit && (rows.length > 0 || body.offset === 1)
    const total = isLast ? page(body) + rows.length : ((await counted)[0]?.total ?? 0)
    return { list: await tell(rows as never[], ctx), total }
  })
}
