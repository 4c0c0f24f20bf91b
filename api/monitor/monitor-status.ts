import { and, eq, sql } from 'drizzle-orm'
import { getMonitorStatus } from '#schema/monitor/monitor-status'
import { deviceStates, devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { isState, statedColumns } from '../device/device-state.ts'
import { listOf } from '../kit/list-of.ts'
import { nearDevices } from '../kit/of-devices.ts'
import { inGroupTree } from '../kit/visible-ids.ts'
import { answeringTerminals, knownTime, shownTerminals } from './gateway-figures.ts'

export const getMonitorStatusHandler = listOf(getMonitorStatus, 'devices', async (ctx, body) => {
  const now = sql`${ctx.now().toISOString()}::timestamptz`
  const since = sql`date_trunc('hour', ${now} - make_interval(days => ${body.days}::int))`
  // Events from the time of a former owner are not shown.
  const own = sql`greatest(${since}, ${devices.ownedSince})`
  const known = (sum: string) =>
    sql`(select ${sql.raw(sum)}::float8 from ${knownTime(devices.id, own, now)} known)`
  const online = sql<boolean>`coalesce(${deviceStates.online}, false)`
  return {
    table: devices,
    rows: (pick, ids) => {
      const shown = shownTerminals(ctx, ids)
      return (
        ctx.db
          .select(
            pick({
              deviceId: devices.id,
              groupId: devices.groupId,
              deviceSn: devices.sn,
              deviceName: devices.name,
              groupName: sql<string>`${groups.name}`,
              timeZone: devices.timeZone,
              online,
              ...statedColumns(ctx.now()),
              onlineChangedAt: deviceStates.onlineChangedAt,
              onlinePercent: sql<
                number | null
              >`${known('(100.0 * sum(online_s) / nullif(sum(known_s), 0))')}`,
              offlineS: sql<number | null>`${known('sum(known_s - online_s)')}`,
              drops: sql<number>`(select count(*)::int from presence_records p where p.device_id = ${devices.id} and p.offline_at >= ${own})`,
              terminalCount: shown.count,
              answeringCount: answeringTerminals(online),
            }),
          )
          .from(devices)
          // Every device has one; the planner leaves out only left joins.
          .leftJoin(groups, eq(groups.id, devices.groupId))
          .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
          .leftJoin(shown.of, eq(shown.of.deviceId, devices.id))
      )
    },
    near: nearDevices,
    where: and(
      sql`${devices.id} in (select device_id from terminals)`,
      body.groupId === undefined ? undefined : await inGroupTree(ctx, body.groupId),
    ),
    filters: {
      groupId: null,
      days: null,
      state: (asked) => isState(asked, ctx.now()),
      online: (asked) => eq(online, asked === 'online'),
    },
  }
})
