import { and, eq, sql } from 'drizzle-orm'
import { getMonitorStatus } from '#schema/monitor/monitor-status'
import { deviceStates, devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { isState, statedColumns } from '../device/device-state.ts'
import { listOf } from '../kit/list-of.ts'
import { nearDevices } from '../kit/of-devices.ts'
import { inGroupTree } from '../kit/visible-ids.ts'

export const getMonitorStatusHandler = listOf(getMonitorStatus, 'devices', async (ctx, body) => {
  const since = sql`date_trunc('hour', ${ctx.now().toISOString()}::timestamptz - make_interval(days => ${body.days}::int))`
  // Events from the time of a former owner are not shown.
  const own = sql`greatest(${since}, coalesce(${devices.ownedSince}, ${since}))`
  const hours = (sum: string) =>
    sql`(select ${sql.raw(sum)} from device_hours h where h.device_id = ${devices.id} and h.hour >= ${own})`
  const below = sql`from terminals t left join terminal_states s on s.terminal_id = t.id where t.device_id = ${devices.id} and not t.hidden`
  const online = sql<boolean>`coalesce(${deviceStates.online}, false)`
  return {
    table: devices,
    rows: ctx.db
      .select({
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
        >`${hours('100.0 * sum(h.online_s) / nullif(sum(h.known_s), 0)')}::float8`,
        offlineS: sql<number | null>`${hours('sum(h.known_s - h.online_s)')}::float8`,
        drops: sql<number>`(select count(*)::int from presence_records p where p.device_id = ${devices.id} and p.offline_at >= ${own})`,
        terminalCount: sql<number>`(select count(*)::int ${below})`,
        answeringCount: sql<number>`(select count(*)::int ${below} and s.state = 'answering' and ${online})`,
      })
      .from(devices)
      // Every device has one; the planner leaves out only left joins.
      .leftJoin(groups, eq(groups.id, devices.groupId))
      .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id)),
    pageFirst: true,
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
