import { Readable } from 'node:stream'
import { and, desc, eq, ilike, inArray, like, lt, ne, not, or, type SQL, sql } from 'drizzle-orm'
import { gatherDeclared } from '#infra/gather'
import { sayIn } from '#infra/say'
import { isCall } from '#schema/kit/call'
import { BOM, zonedHeading, zonedLines } from '#schema/kit/csv'
import { refuse } from '#schema/kit/refusal'
import type { Key, ServerKey } from '#schema/kit/words.gen'
import { isPlatformType } from '#schema/people/session'
import { absent } from '#schema/people/session-refusals'
import {
  exportOperations,
  faultCodes,
  getOperation,
  getOperationList,
  getWritingCalls,
  type operationResults,
} from '#schema/platform/operation'
import { customers } from '#schema/tables/customer'
import { operations } from '#schema/tables/operation'
import { type CallContext, downloadHandler, handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { contains } from '../kit/paging.ts'
import { visible } from '../kit/scope.ts'
import { logConditions, readOn } from './log-filter.ts'
import { reasonText } from './operation-reason.ts'

type Result = (typeof operationResults)[number]
const isFault = inArray(operations.code, [...faultCodes])
const outcomes: Record<Result, SQL | undefined> = {
  done: eq(operations.code, 0),
  refused: and(ne(operations.code, 0), not(isFault)),
  fault: isFault,
}

type Asked = Parameters<typeof logConditions>[1] & {
  search?: string | undefined
  call?: string | undefined
  deviceId?: number | undefined
  objectKind?: string | undefined
  result?: Result | undefined
}

function condition(ctx: CallContext, asked: Asked) {
  const { userId, period, from, to, customerId } = asked
  return and(
    ...logConditions(operations, { userId, period, from, to }, ctx.now()),
    // Customers cannot find the rows of a platform user by trying ids.
    userId === undefined ? undefined : outsider(ctx),
    customerId === undefined
      ? undefined
      : or(eq(operations.customerId, customerId), eq(operations.objectCustomerId, customerId)),
    asked.call ? eq(operations.call, asked.call) : undefined,
    asked.deviceId ? eq(operations.deviceId, asked.deviceId) : undefined,
    asked.objectKind ? eq(operations.objectKind, asked.objectKind) : undefined,
    asked.result ? outcomes[asked.result] : undefined,
    asked.search ? matches(ctx, asked.search) : undefined,
  )
}

const REQUEST_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function matches(ctx: CallContext, search: string): SQL | undefined {
  // An error shows this id: the row tells whether the request was carried out.
  if (REQUEST_ID.test(search)) return eq(operations.requestId, search)
  const byIndex = like(operations.searchText, contains(search.toLowerCase()))
  const known = outsider(ctx)
  if (known === undefined) return byIndex
  // Customers cannot find platform users by name or address.
  const named = [operations.object, operations.call].map((column) => ilike(column, contains(search)))
  return and(byIndex, or(known, ...named))
}

/** True for rows whose user the actor may see; undefined: all. */
const outsider = ({ actor }: CallContext): SQL | undefined =>
  isPlatformType(actor.type) ? undefined : eq(operations.customerId, actor.customerId ?? 0)

/** [docs/decisions/023] Customers see what platform users did to their objects, but not their names. */
function columns(ctx: CallContext) {
  const known = outsider(ctx) ?? sql`true`
  const ifKnown = <T>(column: SQL | typeof operations.username | typeof operations.ip) =>
    sql<T | null>`case when ${known} then ${column} end`
  return {
    id: operations.id,
    at: operations.at,
    userId: sql<number | null>`case when ${known} then ${operations.userId} end`,
    username: ifKnown<string>(operations.username),
    platform: sql<boolean>`not coalesce(${known}, false)`,
    customerName: customers.name,
    call: operations.call,
    object: operations.object,
    objectKind: operations.objectKind,
    objectIds: sql<
      string[]
    >`coalesce((select array_agg(o ->> 'id' order by n) from jsonb_array_elements(${operations.objects}) with ordinality as t (o, n)), '{}')`,
    result: sql<Result>`case when ${operations.code} = 0 then 'done' when ${isFault} then 'fault' else 'refused' end`,
    code: operations.code,
    ip: ifKnown<string>(operations.ip),
    changes: sql<boolean>`${operations.before} is not null or ${operations.after} is not null`,
  }
}

const whose = sql`coalesce(${operations.objectCustomerId}, ${operations.customerId})`

/** To be filtered by a condition that begins with `visible(actor).operations`. */
export const selectOperations = (ctx: CallContext) =>
  ctx.db.select(columns(ctx)).from(operations).leftJoin(customers, sql`${customers.id} = ${whose}`)

export const getOperationListHandler = listOf(getOperationList, 'operations', (ctx, body) => ({
  table: operations,
  rows: selectOperations(ctx),
  condition: condition(ctx, body),
}))

export const getOperationHandler = handler(getOperation, async (ctx, { id }) => {
  const [found] = await ctx.db
    .select({
      ...columns(ctx),
      // The body may name other objects, too.
      body: sql<unknown>`case when ${outsider(ctx) ?? sql`true`} then ${operations.body} end`,
      before: operations.before,
      after: operations.after,
      requestId: operations.requestId,
    })
    .from(operations)
    .leftJoin(customers, sql`${customers.id} = ${whose}`)
    .where(and(visible(ctx.actor).operations, eq(operations.id, id)))
  if (!found) refuse(absent)
  return { ...found, reason: reasonText(found.code, ctx.language) }
})

export const getWritingCallsHandler = handler(getWritingCalls, async () => ({
  list: (await gatherDeclared(isCall))
    .filter(({ writes }) => writes)
    .map(({ name }) => name)
    .sort(),
}))

const titles = {
  at: 'operation:field.at',
  username: 'operation:field.who',
  customerName: 'operation:field.customer',
  call: 'operation:field.call',
  object: 'operation:field.object',
  result: 'operation:field.result',
  code: 'operation:field.code',
  ip: 'operation:field.ip',
  before: 'operation:csv.before',
  after: 'operation:csv.after',
} as const satisfies Record<string, Key | ServerKey>
const cell = (value: unknown) =>
  typeof value === 'object' && value !== null && !(value instanceof Date) ? JSON.stringify(value) : value

export const exportOperationsHandler = downloadHandler(exportOperations, async (ctx, body) => {
  const where = and(visible(ctx.actor).operations, condition(ctx, body))
  const line = zonedLines(body.zone)
  const say = sayIn(ctx.language)
  const called = new Map(Object.entries(body.callNames ?? {}))
  const lines = async function* () {
    yield BOM + line(Object.entries(titles).map(([key, title]) => zonedHeading(key, say(title), body.zone)))
    yield* readOn(
      (below, limit) =>
        ctx.db
          .select({ ...columns(ctx), before: operations.before, after: operations.after })
          .from(operations)
          .leftJoin(customers, sql`${customers.id} = ${whose}`)
          .where(and(where, below === null ? undefined : lt(operations.id, below)))
          .orderBy(desc(operations.id))
          .limit(limit),
      (row) => {
        const said = {
          ...row,
          username: row.platform ? say('kit:platformUser') : row.username,
          call: called.get(row.call) ?? row.call,
          result: say(`operation:result.${row.result}`),
        }
        return line(Object.keys(titles).map((name) => cell(said[name as keyof typeof said])))
      },
    )
  }
  return {
    fileName: `operations-${ctx.now().toISOString().slice(0, 10)}.csv`,
    mime: 'text/csv; charset=utf-8',
    stream: Readable.from(lines()),
  }
})
