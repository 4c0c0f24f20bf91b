import { and, asc, count, desc, eq, gte } from 'drizzle-orm'
import { getPresenceList } from '#schema/device/presence'
import { presenceRecords } from '#schema/tables/presence'
import { handler } from '../kit/handler.ts'
import { reachHistory } from '../kit/history.ts'
import { page } from '../kit/paging.ts'

export const getPresenceListHandler = handler(getPresenceList, async (ctx, body) => {
  const device = await reachHistory(ctx, body.deviceId)
  const where = and(eq(presenceRecords.deviceId, device.id), gte(presenceRecords.onlineAt, device.since))
  const rows = await ctx.db
    .select({
      onlineAt: presenceRecords.onlineAt,
      offlineAt: presenceRecords.offlineAt,
      reason: presenceRecords.reason,
      ip: presenceRecords.ip,
      transport: presenceRecords.transport,
    })
    .from(presenceRecords)
    .where(where)
    .orderBy(body.order === 'asc' ? asc(presenceRecords.onlineAt) : desc(presenceRecords.onlineAt))
    .limit(body.limit)
    .offset(page(body))
  const [counted] = await ctx.db.select({ total: count() }).from(presenceRecords).where(where)
  // A connection that still holds lasts until now.
  const list = rows.map((row) => ({
    ...row,
    durationS: Math.max(0, ((row.offlineAt ?? ctx.now()).getTime() - row.onlineAt.getTime()) / 1000),
  }))
  return { list, total: counted?.total ?? 0 }
})
