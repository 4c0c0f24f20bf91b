import { eq, sql } from 'drizzle-orm'
import type { GivenReplyOf } from '#schema/kit/call'
import { type CollectionState, getMonitorDevices } from '#schema/monitor/monitor-device'
import { collectionStates as states } from '#schema/tables/collection'
import { deviceStates, devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { isOnline } from '../device/device-filter.ts'
import { isState, statedColumns } from '../device/device-state.ts'
import { listOf } from '../kit/list-of.ts'
import { nearDevices } from '../kit/of-devices.ts'
import { answeringTerminals, shownTerminals, terminalsInState } from './gateway-figures.ts'
import { groupsBelow, projectGroups } from './project-figures.ts'

const shown = sql`terminals t where t.device_id = ${devices.id} and not t.hidden`

/** Values, or how its collection goes, which it says far more rarely. What a foreign source sends is none of its reports. */
const reportedAt = sql<Date | null>`greatest(${states.reportedAt}, (
  select to_timestamp(max(at.ms) / 1000.0) from terminals t join terminal_latest l on l.terminal_id = t.id, unnest(l.at) at(ms)
  where t.device_id = ${devices.id} and not exists (select 1 from south_terminals s where s.terminal_id = t.id)))`.mapWith(
  states.reportedAt,
)

/** Whether the gateway runs the current plan: a plan that was changed since does not count. */
const collection = sql<CollectionState>`case
  when (select 1 from ${shown} limit 1) is null then 'none'
  when ${states.refusedRevision} is not distinct from ${states.revision} and ${states.revision} is not null then 'refused'
  when ${states.staleSince} is null and ${states.revision} = ${states.runningRevision} then 'running'
  else 'waiting' end`

/**
 * Devices without terminals or a project do not belong to this area. Two conditions rather than one set of ids: each is a
 * hash table, so that devices are checked in the order of an index until the page is full, or all in an index that fits in memory. An array,
 * because a recursive subquery would rule out parallel scans.
 */
const monitored = sql`(${devices.id} in (select device_id from terminals) or ${devices.groupId} = any(array(
  with recursive tree as (
    select group_id as id from projects
    union select g.id from groups g join tree on g.parent_id = tree.id
  ) select id from tree)))`

type Warnings = GivenReplyOf<typeof getMonitorDevices>['list'][number]['warnings']
const warnings = sql<Warnings>`(
  select coalesce(jsonb_agg(jsonb_build_object('kind', l ->> 'kind', 'place', l ->> 'place',
    'percent', round((l ->> 'share')::numeric * 100), 'shortestS', (l ->> 'shortestS')::float8,
    'terminals', case when l ? 'terminal' then 1 else jsonb_array_length(coalesce(l -> 'terminals', '[]')) end)), '[]')
  from jsonb_array_elements(coalesce(${states.lint}, '[]')) l)`

export const getMonitorDevicesHandler = listOf(getMonitorDevices, 'devices', ({ db, now }) => {
  return {
    table: devices,
    where: monitored,
    near: nearDevices,
    filters: {
      deviceId: (id) => eq(devices.id, id),
      projectId: (id) => sql`${devices.groupId} in (${projectGroups(id)})`,
      groupId: (id) => sql`${devices.groupId} in (${groupsBelow(id)})`,
      state: (asked) => isState(asked, now()),
      online: (asked) => (asked === 'yes' ? isOnline : sql`not ${isOnline}`),
      collection: (asked) => sql`${collection} = ${asked}`,
    },
    rows: (pick, ids) => {
      const terminals = shownTerminals({ db }, ids)
      return (
        db
          .select(
            pick({
              id: devices.id,
              deviceSn: devices.sn,
              deviceName: devices.name,
              groupId: devices.groupId,
              groupName: sql<string>`${groups.name}`,
              model: devices.model,
              timeZone: devices.timeZone,
              online: isOnline,
              ...statedColumns(now()),
              terminalCount: terminals.count,
              answeringCount: answeringTerminals(isOnline),
              silentCount: terminalsInState(sql`'silent', 'noPath'`),
              collection,
              refusedReason: states.refusedReason,
              warnings,
              reportedAt,
            }),
          )
          .from(devices)
          // Every device has one; the planner leaves out only left joins.
          .leftJoin(groups, eq(groups.id, devices.groupId))
          .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
          .leftJoin(states, eq(states.deviceId, devices.id))
          .leftJoin(terminals.of, eq(terminals.of.deviceId, devices.id))
      )
    },
  }
})
