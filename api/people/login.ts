import { Readable } from 'node:stream'
import { and, asc, desc, eq, like, lt, sql } from 'drizzle-orm'
import { BOM, zonedHeading, zonedLines } from '#schema/kit/csv'
import type { Language } from '#schema/kit/refusal'
import { accountRefusals } from '#schema/people/account-refusals'
import { exportLogins, getLoginList, type loginResults } from '#schema/people/login'
import { sessionRefusals } from '#schema/people/session-refusals'
import { customers } from '#schema/tables/customer'
import { logins } from '#schema/tables/login'
import { sessions } from '#schema/tables/session'
import { countSome, searchedSince } from '../kit/bounded-count.ts'
import { type CallContext, downloadHandler, handler } from '../kit/handler.ts'
import { contains, page } from '../kit/paging.ts'
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
    visible(ctx.actor).logins,
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

export const getLoginListHandler = handler(getLoginList, async (ctx, body) => {
  const since = await searchedSince(ctx.db, logins, logins.at, visible(ctx.actor).logins, body.search)
  const where = and(condition(ctx, body), since ?? undefined)
  const direction = body.order === 'asc' ? asc : desc
  const [list, counted] = await Promise.all([
    select(ctx)
      .where(where)
      .orderBy(direction(logins.at), direction(logins.id))
      .limit(body.limit)
      .offset(page(body)),
    countSome(ctx.db, logins, where),
  ])
  return { list, ...counted, ...(since ? { more: true } : {}) }
})

const titles: Record<string, Record<Language, string>> = {
  at: { 'zh-CN': '时间', 'zh-TW': '時間', 'en-US': 'Time' },
  username: { 'zh-CN': '用户名', 'zh-TW': '使用者名稱', 'en-US': 'User name' },
  customerName: { 'zh-CN': '客户', 'zh-TW': '客戶', 'en-US': 'Customer' },
  way: { 'zh-CN': '方式', 'zh-TW': '方式', 'en-US': 'Method' },
  result: { 'zh-CN': '结果', 'zh-TW': '結果', 'en-US': 'Result' },
  ip: { 'zh-CN': 'IP 地址', 'zh-TW': 'IP 位址', 'en-US': 'IP address' },
  userAgent: { 'zh-CN': '浏览器', 'zh-TW': '瀏覽器', 'en-US': 'Browser' },
  endedAt: { 'zh-CN': '退出时间', 'zh-TW': '登出時間', 'en-US': 'Logged out' },
}

/** As the page says them. */
const words: Record<string, Record<Language, string>> = {
  ok: { 'zh-CN': '成功', 'zh-TW': '成功', 'en-US': 'Logged in' },
  wrongPassword: {
    'zh-CN': '用户名或密码错误',
    'zh-TW': '使用者名稱或密碼錯誤',
    'en-US': 'Wrong name or password',
  },
  wrongCode: { 'zh-CN': '验证码错误', 'zh-TW': '驗證碼錯誤', 'en-US': 'Wrong code' },
  username: { 'zh-CN': '用户名', 'zh-TW': '使用者名稱', 'en-US': 'User name' },
  email: { 'zh-CN': '邮箱', 'zh-TW': '電子郵件', 'en-US': 'E-mail' },
}

export const exportLoginsHandler = downloadHandler(exportLogins, async (ctx, body) => {
  const where = condition(ctx, body)
  const line = zonedLines(body.zone)
  const lines = async function* () {
    yield BOM +
      line(Object.entries(titles).map(([key, title]) => zonedHeading(key, title[ctx.language], body.zone)))
    yield* readOn(
      (below, limit) =>
        select(ctx)
          .where(and(where, below === null ? undefined : lt(logins.id, below)))
          .orderBy(desc(logins.id))
          .limit(limit),
      (row) => {
        const inWords = (value: string) => words[value]?.[ctx.language] ?? value
        const said = { ...row, way: inWords(row.way), result: inWords(row.result) }
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
