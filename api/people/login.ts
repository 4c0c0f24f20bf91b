import { Readable } from 'node:stream'
import { and, desc, eq, like, lt, sql } from 'drizzle-orm'
import { sayIn } from '#infra/say'
import { BOM, zonedHeading, zonedLines } from '#schema/kit/csv'
import type { Key } from '#schema/kit/words.gen'
import { accountRefusals } from '#schema/people/account-refusals'
import { exportLogins, getLoginList, type loginResults } from '#schema/people/login'
import { sessionRefusals } from '#schema/people/session-refusals'
import { customers } from '#schema/tables/customer'
import { logins } from '#schema/tables/login'
import { sessions } from '#schema/tables/session'
import { type CallContext, downloadHandler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { contains } from '../kit/paging.ts'
import { visible } from '../kit/scope.ts'
import { logConditions, readOn } from '../platform/log-filter.ts'

type Result = (typeof loginResults)[number]
const codes: Record<Result, number> = {
  ok: 0,
  wrongPassword: sessionRefusals.wrongCredentials.code,
  wrongCode: accountRefusals.totpWrong.code,
}

type Asked = Parameters<typeof logConditions>[1] & {
  search?: string | undefined
  result?: Result | undefined
}

const condition = (ctx: CallContext, asked: Asked) =>
  and(
    ...logConditions(logins, asked, ctx.now()),
    asked.result ? eq(logins.code, codes[asked.result]) : undefined,
    asked.search ? like(logins.searchText, contains(asked.search.toLowerCase())) : undefined,
  )

const select = ({ db }: CallContext) =>
  db
    .select({
      id: logins.id,
      at: logins.at,
      userId: logins.userId,
      username: logins.username,
      customerName: customers.name,
      way: logins.way,
      result: sql<Result>`case ${logins.code} when 0 then 'ok' when ${codes.wrongCode} then 'wrongCode' else 'wrongPassword' end`,
      ip: logins.ip,
      userAgent: logins.userAgent,
      endedAt: sessions.endedAt,
    })
    .from(logins)
    .leftJoin(customers, eq(customers.id, logins.customerId))
    .leftJoin(sessions, eq(sessions.id, logins.sessionId))

export const getLoginListHandler = listOf(getLoginList, 'logins', (ctx, body) => ({
  table: logins,
  rows: select(ctx),
  condition: condition(ctx, body),
}))

const titles = {
  at: 'operation:field.at',
  username: 'login-log:field.username',
  customerName: 'operation:field.customer',
  way: 'login-log:field.way',
  result: 'operation:field.result',
  ip: 'operation:field.ip',
  userAgent: 'login-log:field.userAgent',
  endedAt: 'login-log:field.endedAt',
} as const satisfies Record<string, Key>

export const exportLoginsHandler = downloadHandler(exportLogins, async (ctx, body) => {
  const where = and(visible(ctx.actor).logins, condition(ctx, body))
  const line = zonedLines(body.zone)
  const say = sayIn(ctx.language)
  const lines = async function* () {
    yield BOM + line(Object.entries(titles).map(([key, title]) => zonedHeading(key, say(title), body.zone)))
    yield* readOn(
      (below, limit) =>
        select(ctx)
          .where(and(where, below === null ? undefined : lt(logins.id, below)))
          .orderBy(desc(logins.id))
          .limit(limit),
      (row) => {
        const { way, result } = row
        const said = { ...row, way: say(`login-log:way.${way}`), result: say(`login-log:result.${result}`) }
        return line(Object.keys(titles).map((name) => said[name as keyof typeof said]))
      },
    )
  }
  return {
    fileName: `logins-${ctx.now().toISOString().slice(0, 10)}.csv`,
    mime: 'text/csv; charset=utf-8',
    stream: Readable.from(lines()),
  }
})
