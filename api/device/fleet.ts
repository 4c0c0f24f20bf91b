import { and, count, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { deviceStates as states } from '#schema/device/device-state'
import { getFleetSummary } from '#schema/device/fleet'
import { deviceStates, devices } from '#schema/tables/device'
import { type CallContext, handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { isOnline } from './device-filter.ts'
import { stateOf } from './device-state.ts'
import { readOnlineShare } from './fleet-share.ts'

const FIRMWARES_SHOWN = 20

async function readCounts({ db, actor, now }: CallContext) {
  const state = stateOf(now()).as('state')
  const rows = await db
    .select({
      state,
      count: count(),
      online: sql<number>`count(*) filter (where ${isOnline})`.mapWith(Number),
      neverSeen: sql<number>`count(*) filter (where ${deviceStates.onlineChangedAt} is null)`.mapWith(Number),
    })
    .from(devices)
    .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
    .where(visible(actor).devices)
    .groupBy(sql`1`)
  const sum = (of: 'count' | 'online' | 'neverSeen') => rows.reduce((total, row) => total + row[of], 0)
  const [online, neverSeen] = [sum('online'), sum('neverSeen')]
  return {
    online,
    neverSeen,
    offline: sum('count') - online - neverSeen,
    states: states.flatMap((name) => {
      const row = rows.find((one) => one.state === name)
      return row ? [{ state: name, count: row.count }] : []
    }),
  }
}

export const getFleetSummaryHandler = handler(getFleetSummary, async (ctx) => {
  const mine = visible(ctx.actor).devices
  const firmwares = ctx.db
    .select({ value: sql<string>`${devices.firmware}`, count: count() })
    .from(devices)
    .where(and(mine, isNotNull(devices.firmware)))
    .groupBy(devices.firmware)
    .orderBy(desc(count()), devices.firmware)
    .limit(FIRMWARES_SHOWN)
  const [counts, versions] = await Promise.all([readCounts(ctx), firmwares])
  return { ...counts, firmwares: versions, onlineShare: await readOnlineShare(ctx, counts) }
})
