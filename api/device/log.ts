import { and, asc, count, desc, eq, gte, ilike, inArray } from 'drizzle-orm'
import { getDeviceLogList, logPriorities } from '#schema/device/log'
import { deviceLogs } from '#schema/tables/status'
import { handler } from '../kit/handler.ts'
import { reachHistory } from '../kit/history.ts'
import { contains, page } from '../kit/paging.ts'

export const getDeviceLogListHandler = handler(getDeviceLogList, async (ctx, body) => {
  const device = await reachHistory(ctx, body.deviceId)
  const where = and(
    eq(deviceLogs.deviceId, device.id),
    gte(deviceLogs.at, device.since),
    body.priority ? gte(deviceLogs.priority, logPriorities.indexOf(body.priority)) : undefined,
    body.priorities?.length
      ? inArray(
          deviceLogs.priority,
          body.priorities.map((name) => logPriorities.indexOf(name)),
        )
      : undefined,
    body.search ? ilike(deviceLogs.text, contains(body.search)) : undefined,
  )
  const direction = body.order === 'asc' ? asc : desc
  const rows = await ctx.db
    .select({
      at: deviceLogs.at,
      priority: deviceLogs.priority,
      tag: deviceLogs.tag,
      text: deviceLogs.text,
    })
    .from(deviceLogs)
    .where(where)
    .orderBy(direction(deviceLogs.at), direction(deviceLogs.seq))
    .limit(body.limit)
    .offset(page(body))
  const [counted] = await ctx.db.select({ total: count() }).from(deviceLogs).where(where)
  return {
    list: rows.map((row) => ({ ...row, priority: logPriorities[row.priority] ?? 'info' })),
    total: counted?.total ?? 0,
  }
})
