/**
 * Handlers of declared lists. The call declares its search, sorts and filters, and the direction of each sort; its
 * handler defines rows and columns. Search, order, page and count are derived from both.
 */
import { and, count, eq, gte, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgSelect } from 'drizzle-orm/pg-core'
import type { GivenReplyOf, ParsedBodyOf } from '#schema/kit/call'
import type { ListCall } from '#schema/kit/list'
import { countSome, searchedSince } from './bounded-count.ts'
import { type CallContext, type Handler, handler } from './handler.ts'
import { reachHistory } from './history.ts'
import { type Asking, type Filter, type ListBody, questionOf } from './list-question.ts'
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
type Listing<C extends ListCall> = Asking<C> & {
  readonly rows: Rows
  /** Additional condition, independent of the body. */
  readonly where?: SQL | undefined
  /** Conditions use joined tables, so they are joined for counting as well. */
  readonly countJoined?: boolean
  /**
   * Sorting whole rows takes long: the page is found first and counted meanwhile, then it is filled. Only one of the selected
   * columns may be named as the one that ends the orders (`id`).
   */
  readonly pageFirst?: boolean
}

export type RowOf<Q extends Rows> = Q['_']['result'][number]
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
export type Answering<
  C extends ListCall,
  L,
  Known,
> = Faultless<`no column for ${Unanswered<C, L, Known> & string}`>
export type AsDeclared<C extends ListCall, R> = Faultless<`${Differing<Given<C>, R>} is not as declared`>
type Known<S extends Start, L extends Listing<never>> =
  | keyof L['rows']['_']['selection']
  | (S extends PastOfDevice ? 'deviceId' : never)

async function startOf(start: Start, ctx: CallContext, body: object): Promise<SQL | undefined> {
  if (typeof start === 'string') return visible(ctx.actor)[start]
  if (isStored(start)) return start.seen(visible(ctx.actor), ctx.actor)
  const device = await reachHistory(ctx, (body as { deviceId: number }).deviceId)
  return and(eq(start.deviceId, device.id), gte(start.at, device.since))
}

type Place = { readonly order: SQL[]; readonly limit: number; readonly offset: number }

/** The rows of a page in two steps, and the number of all. The planner leaves out the columns and joins that ids do not need. */
async function fillPage(
  { db }: CallContext,
  query: PgSelect,
  tie: PgColumn,
  where: SQL | undefined,
  { order, limit, offset }: Place,
) {
  const all = query.where(where).as('found')
  const page = query
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
    .as('found')
  const [found, [counted]] = await Promise.all([
    db.select({ id: sql<number>`found.${sql.identifier(tie.name)}` }).from(page),
    db.select({ total: count() }).from(all),
  ])
  const ids = found.map(({ id }) => id)
  const rows = ids.length > 0 ? await query.where(inArray(tie, ids)).offset(0) : []
  const isLast = ids.length < limit && (ids.length > 0 || offset === 0)
  return { rows, total: isLast ? offset + ids.length : (counted?.total ?? 0) }
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
    const query = found.rows.$dynamic() as PgSelect
    const columns = { ...query._.selectedFields, ...found.by }
    const ofDevice = typeof start !== 'string' && !isStored(start)
    const filters = { ...found.filters, ...(ofDevice ? { deviceId: null } : {}) }
    const { conditions, order, column, tie } = questionOf(call, { ...found, filters }, columns, body)
    const since = call.past ? await searchedSince(ctx.db, found.table, column, seen, body.search) : null
    const where = and(seen, found.where, ...conditions, since ?? undefined)
    if (found.pageFirst) {
      const place = { order, limit: body.limit, offset: page(body) }
      const { rows, total } = await fillPage(ctx, query, tie, where, place)
      return { list: await tell(rows as never[], ctx, body as never), total }
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
