import { and, asc, count, desc, eq, gte } from 'drizzle-orm'
import { getSimSwitchList } from '#schema/device/sim-switch'
import { simSwitches } from '#schema/tables/section'
import { handler } from '../kit/handler.ts'
import { reachHistory } from '../kit/history.ts'
import { page } from '../kit/paging.ts'

export const getSimSwitchListHandler = handler(getSimSwitchList, async (ctx, body) => {
  const device = await reachHistory(ctx, body.deviceId)
  const where = and(eq(simSwitches.deviceId, device.id), gte(simSwitches.at, device.since))
  const list = await ctx.db
    .select({
      id: simSwitches.id,
      at: simSwitches.at,
      from: simSwitches.fromSlot,
      to: simSwitches.toSlot,
      reason: simSwitches.reason,
      fromIccid: simSwitches.fromIccid,
      toIccid: simSwitches.toIccid,
      operator: simSwitches.operator,
      detail: simSwitches.detail,
    })
    .from(simSwitches)
    .where(where)
    .orderBy(body.order === 'asc' ? asc(simSwitches.at) : desc(simSwitches.at), asc(simSwitches.id))
    .limit(body.limit)
    .offset(page(body))
  const [counted] = await ctx.db.select({ total: count() }).from(simSwitches).where(where)
  return { list, total: counted?.total ?? 0 }
})
