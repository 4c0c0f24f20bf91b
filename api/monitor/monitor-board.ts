import { type SQL, sql } from 'drizzle-orm'
import {
  BOARD_DAYS,
  BOARD_HOURS,
  BOARD_PLACES,
  BOARD_RANKED,
  getMonitorBoard,
} from '#schema/monitor/monitor-board'
import { variableAlarmsPermission } from '#schema/monitor/variable-alarm'
import { bucketPercent } from '#schema/report/report-figures'
import { stepSeconds } from '#schema/report/report-frame'
import { devices } from '#schema/tables/device'
import { position } from '../device/device-position.ts'
import { holds } from '../kit/actor.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { knownTime } from './gateway-figures.ts'
import { projectGroups } from './project-figures.ts'
import { isFed } from './source-state.ts'

/**
 * Gateways: visible devices with terminals. All other figures are derived from them, so visibility is checked only
 * here.
 */
const gatewaysOf = ({ actor }: CallContext, projectId: number | undefined): SQL => sql`
  with gateways as materialized (
    select ${devices.id} as id, ${devices.name} as name, ${devices.ownedSince} as owned_since,
      coalesce(device_states.online, false) as online,
      ${position.longitude} as longitude, ${position.latitude} as latitude
    from ${devices} left join device_states on device_states.device_id = ${devices.id}
    where ${visible(actor).devices} and exists (select 1 from terminals t where t.device_id = ${devices.id} and not t.hidden)
      ${projectId === undefined ? sql`` : sql`and ${devices.groupId} in (${projectGroups(projectId)})`}
  )`
export const readPlaces = (ctx: CallContext, projectId: number | undefined) =>
  ctx.db.execute<{
    name: string
    longitude: number
    latitude: number
    online: boolean
  }>(sql`${gatewaysOf(ctx, projectId)}
    select name, longitude, latitude, online from gateways where longitude is not null and latitude is not null
    order by online, id limit ${BOARD_PLACES}`)
const since = (n: SQL) => sql`(date_trunc('hour', now()) - ${n})`
const HOURS = sql`make_interval(hours => ${BOARD_HOURS}::int)`
const DAYS = sql`make_interval(days => ${BOARD_DAYS}::int)`
/** Alarms from the time of a former owner of the gateway are not included. */
const alarmsOf = sql`alarms a join gateways g on g.id = a.device_id and a.last_at >= coalesce(g.owned_since, '-infinity')
  and a.kind = 'variable'`

type Figures = { gateways: number; online: number; terminals: number; answering: number; values: number }
type Hour = { at: string; devices: number; knownS: number | null; onlineS: number | null; alarms: number }
type Ranked = { name: string; n: number }

export const getMonitorBoardHandler = handler(getMonitorBoard, async (ctx, { projectId }) => {
  const { db, actor } = ctx
  const shownId = projectId ?? actor.kiosk?.projectId
  const gateways = gatewaysOf(ctx, shownId)
  const seesAlarms = holds(actor, variableAlarmsPermission)
  const [[project], [figures], [alarms], hours, offline, alarming, places] = await Promise.all([
    db.execute<{ name: string }>(
      sql`select name from projects where id = ${shownId ?? 0} and ${visible(actor).projects}`,
    ),
    db.execute<Figures>(sql`${gateways}
      select (select count(*)::int from gateways) as gateways, (select count(*)::int from gateways where online) as online,
        count(*)::int as terminals, (count(*) filter (where (g.online and s.state = 'answering') or ${isFed}))::int as answering,
        coalesce(sum((select count(*) from variables v where v.template_id = t.template_id and not v.hidden)), 0)::int as values
      from gateways g join terminals t on t.device_id = g.id and not t.hidden left join terminal_states s on s.terminal_id = t.id`),
    db.execute<{ alarms: number; critical: number }>(sql`${gateways}
      select count(*)::int as alarms, (count(*) filter (where a.severity = 'critical'))::int as critical
      from ${alarmsOf} where a.ended_at is null`),
    db.execute<Hour>(sql`${gateways}
      select to_json(hours.hour)#>>'{}' as at, sums.*, (
          select count(*)::int from ${alarmsOf} where a.last_at >= hours.hour and a.last_at < hours.hour + interval '1 hour'
        ) as alarms
      from generate_series(${since(HOURS)}, ${since(sql`interval '1 hour'`)}, interval '1 hour') as hours(hour), lateral (
        select count(*)::int as devices, sum(h.known_s)::float8 as "knownS", sum(h.online_s)::float8 as "onlineS" from device_hours h
          join gateways g on g.id = h.device_id where h.hour = hours.hour and h.hour >= coalesce(g.owned_since, '-infinity')
      ) sums order by hours.hour`),
    db.execute<Ranked>(sql`${gateways}
      select g.name, known.n from gateways g, lateral (
        select sum(known_s - online_s)::float8 as n
        from ${knownTime(sql`g.id`, sql`greatest(${since(DAYS)}, g.owned_since)`, sql`now()`)} known
      ) known where known.n > 0 order by n desc, g.name limit ${BOARD_RANKED}`),
    db.execute<Ranked>(sql`${gateways}
      select a.terminal_name as name, sum(a.times)::float8 as n from ${alarmsOf}
      where a.last_at >= ${since(DAYS)} and a.terminal_name is not null
      group by a.terminal_id, a.terminal_name order by n desc, name limit ${BOARD_RANKED}`),
    readPlaces(ctx, shownId),
  ])
  return {
    projectName: project?.name ?? null,
    figures: {
      ...(figures ?? { gateways: 0, online: 0, terminals: 0, answering: 0, values: 0 }),
      alarms: seesAlarms ? (alarms?.alarms ?? 0) : null,
      critical: seesAlarms ? (alarms?.critical ?? 0) : null,
    },
    at: hours.map(({ at }) => new Date(at)),
    onlinePercent: hours.map((hour) => bucketPercent(hour, stepSeconds.hour)),
    alarmCounts: hours.map((hour) => (seesAlarms ? hour.alarms : null)),
    offline: offline.map(({ name, n }) => ({ name, seconds: n })),
    alarming: seesAlarms ? alarming.map(({ name, n }) => ({ name, count: n })) : [],
    places: [...places],
  }
})
