/** The rows summed by reports, all of one shape: an hour (or day) of a fleet or a device. */
import { type SQL, sql } from 'drizzle-orm'
import { signalBands } from '../report/report.ts'
import type { Frame } from '../report/report-frame.ts'
import { devices } from './device.ts'
import { fleetDays, fleetHours } from './report.ts'
import { rawSeriesSql } from './report-raw.ts'
import type { ReportFilter, ReportScope } from './report-scope.ts'

const moment = (ms: number) => sql`to_timestamp(${ms / 1000}::float8)`
const utcDay = (ms: number) => sql`${new Date(ms).toISOString().slice(0, 10)}::date`
const figures = sql.raw(
  'devices, known_s, online_s, rx_bytes, tx_bytes, signal_sum, signal_devices, signal_min, signal_max, excellent, good, fair, poor',
)
const sums = sql.raw(
  `max(devices)::float8 as devices, sum(known_s)::float8 as "knownS", sum(online_s)::float8 as "onlineS", sum(rx_bytes)::float8 as "rxBytes",
  sum(tx_bytes)::float8 as "txBytes", sum(signal_sum)::float8 as "signalSum", sum(signal_devices)::float8 as "signalDevices", min(signal_min)::float8 as "signalMin",
  max(signal_max)::float8 as "signalMax", sum(excellent)::float8 as excellent, sum(good)::float8 as good, sum(fair)::float8 as fair, sum(poor)::float8 as poor`,
)
export type Sums = {
  devices: number | null
  knownS: number | null
  onlineS: number | null
  rxBytes: number | null
  txBytes: number | null
  signalSum: number | null
  signalDevices: number | null
  signalMin: number | null
  signalMax: number | null
} & Record<keyof typeof signalBands | 'poor', number | null>

/** As written in `device_days`: 1970 for a device that never changed owners. */
const ownedSince = sql`coalesce(${devices.ownedSince}, to_timestamp(0))`

type Condition = (table: typeof fleetHours | typeof fleetDays) => SQL

const hourCells = (where: SQL, from: SQL, to: SQL) => sql`
  select group_id, hour, ${figures} from ${fleetHours} where ${where} and hour >= ${from} and hour < ${to}`
const dayCells = (where: SQL, from: SQL, to: SQL) => sql`
  select group_id, day::timestamp at time zone 'UTC' as hour, ${figures} from ${fleetDays} where ${where} and day >= ${from} and day < ${to}`

function fleetCells(frame: Frame, where: Condition, from: number, to: number): SQL {
  return frame.source === 'days'
    ? dayCells(where(fleetDays), utcDay(from), utcDay(to))
    : hourCells(where(fleetHours), moment(from), moment(to))
}

/** Whole days of UTC from daily rows, the remaining ends from hourly rows: for sums without buckets. */
function mixedCells(frame: Frame, where: Condition): SQL {
  const first = Math.ceil(frame.from / 86_400_000) * 86_400_000
  const last = Math.floor(frame.to / 86_400_000) * 86_400_000
  if (frame.source === 'days' || first >= last) return fleetCells(frame, where, frame.from, frame.to)
  return sql`${dayCells(where(fleetDays), utcDay(first), utcDay(last))}
    union all ${hourCells(where(fleetHours), moment(frame.from), moment(first))}
    union all ${hourCells(where(fleetHours), moment(last), moment(frame.to))}`
}

const one = sql.raw(
  `1 as devices, known_s, online_s, rx_bytes, tx_bytes, signal as signal_sum, (signal is not null)::int as signal_devices, signal_min, signal_max,
  coalesce(signal >= ${signalBands.excellent}, false)::int as excellent,
  coalesce(signal >= ${signalBands.good} and signal < ${signalBands.excellent}, false)::int as good,
  coalesce(signal >= ${signalBands.fair} and signal < ${signalBands.good}, false)::int as fair, coalesce(signal < ${signalBands.fair}, false)::int as poor`,
)

/** One device, since it belongs to its current owner. */
function deviceCells(frame: Frame, mine: SQL, deviceId: number, from: number, to: number): SQL {
  const hours = sql`
    select h.group_id, h.hour, h.known_s, h.online_s, t.rx_bytes, t.tx_bytes, h.signal_sum / nullif(h.signal_count, 0) as signal, h.signal_min, h.signal_max
    from device_hours h join ${devices} on ${devices.id} = h.device_id and ${devices.customerId} = h.customer_id
      left join traffic_hours t on t.device_id = h.device_id and t.hour = h.hour
    where h.device_id = ${deviceId} and ${mine} and h.hour >= ${moment(from)} and h.hour < ${moment(to)}
      and (h.hour >= ${devices.ownedSince} or ${devices.ownedSince} is null)`
  const days = sql`
    select 0 as group_id, x.day::timestamp at time zone 'UTC' as hour, x.known_s - lag(x.known_s, 1, 0::bigint) over w as known_s,
      x.online_s - lag(x.online_s, 1, 0::bigint) over w as online_s, x.rx_bytes - lag(x.rx_bytes, 1, 0::bigint) over w as rx_bytes,
      x.tx_bytes - lag(x.tx_bytes, 1, 0::bigint) over w as tx_bytes,
      (x.signal_sum - lag(x.signal_sum, 1, 0::float8) over w) / nullif(x.signal_count - lag(x.signal_count, 1, 0::bigint) over w, 0) as signal,
      null::real as signal_min, null::real as signal_max
    from device_days x join ${devices} on ${devices.id} = x.device_id and ${ownedSince} = x.owned_since
    where x.device_id = ${deviceId} and ${mine} window w as (order by x.day)`
  return frame.source === 'days'
    ? // A day without data only carries the totals forward.
      sql`select group_id, hour, ${one} from (${days}) d where hour >= ${moment(from)} and hour < ${moment(to)}
        and (known_s, rx_bytes, tx_bytes) <> (0, 0, 0)`
    : sql`select group_id, hour, ${one} from (${hours}) h`
}

const cellsOf = (scope: ReportScope, filter: ReportFilter): Condition => {
  const model = filter.model ?? '*'
  return (table) => sql`${scope.sums(table, filter)} and ${table.model} = ${model}`
}

/**
 * One row per bucket of the frame (or of the period before), including empty ones, in order: `at` in ms and the sums.
 */
export function seriesSql(frame: Frame, scope: ReportScope, filter: ReportFilter, previous = false): SQL {
  const from = previous ? frame.previousFrom : frame.from
  const to = previous ? frame.previousTo : frame.to
  if (filter.deviceId && frame.source === 'raw')
    return rawSeriesSql(frame, scope.devices(filter), filter.deviceId, previous)
  const cells = filter.deviceId
    ? deviceCells(frame, scope.devices(filter), filter.deviceId, from, to)
    : fleetCells(frame, cellsOf(scope, filter), from, to)
  // Hours are UTC hours, also in zones with half hours.
  const zone = frame.step === 'hour' ? 'UTC' : frame.zone
  return sql`
    with cells as (${cells}),
    hours as (select hour, sum(devices) as devices, sum(known_s) as known_s, sum(online_s) as online_s, sum(rx_bytes) as rx_bytes,
        sum(tx_bytes) as tx_bytes, sum(signal_sum) as signal_sum, sum(signal_devices) as signal_devices, min(signal_min) as signal_min,
        max(signal_max) as signal_max, sum(excellent) as excellent, sum(good) as good, sum(fair) as fair, sum(poor) as poor
      from cells group by hour),
    buckets as (select date_trunc(${frame.step}, hour, ${zone}) as at, ${sums} from hours group by 1)
    select (extract(epoch from g.at) * 1000)::float8 as "atMs", buckets.* from (
        select local at time zone ${zone}::text as at from
          generate_series(date_trunc(${frame.step}, ${moment(from)} at time zone ${zone}::text),
            (${moment(to)} - interval '1 microsecond') at time zone ${zone}::text, ${`1 ${frame.step}`}::interval) local) g
      left join buckets on buckets.at = g.at order by 1`
}

/** The whole frame by group, with the group's name and customer; `order` sorts by the sums. */
export function groupsSql(
  frame: Frame,
  scope: ReportScope,
  filter: ReportFilter,
  order: SQL,
  limit: number,
): SQL {
  const model = filter.model ?? '*'
  const cells = mixedCells(
    frame,
    (table) => sql`${scope.groups(table, filter)} and ${table.model} = ${model}`,
  )
  return sql`
    select s.*, g.name as "groupName", c.name as "customerName" from (
      select group_id as "groupId", ${sums} from (${cells}) cells group by group_id) s
    join groups g on g.id = s."groupId" join customers c on c.id = g.customer_id
    order by ${order}, g.name limit ${limit}`
}

export type DeviceSums = {
  deviceId: number
  groupId: number
  deviceSn: string
  deviceName: string
  groupName: string
} & Pick<Sums, 'knownS' | 'onlineS' | 'rxBytes' | 'txBytes' | 'signalSum'> & { signalCount: number }

/** Existing devices with their sums over the frame's days (or hours); `order` sorts them, `where` filters. */
export function devicesSql(
  frame: Frame,
  scope: ReportScope,
  filter: ReportFilter,
  order: SQL,
  where: SQL,
  limit: number,
): SQL {
  const exact = frame.devicesFrom % 86_400_000 !== 0 || frame.devicesTo % 86_400_000 !== 0
  const hours = sql`
    select ${devices.id} as id, sum(h.known_s) as known_s, sum(h.online_s) as online_s, sum(t.rx_bytes) as rx_bytes, sum(t.tx_bytes) as tx_bytes,
      sum(h.signal_sum) as signal_sum, sum(h.signal_count) as signal_count
    from ${devices} join device_hours h on h.device_id = ${devices.id} and h.customer_id = ${devices.customerId}
      left join traffic_hours t on t.device_id = h.device_id and t.hour = h.hour
    where ${scope.devices(filter)} and h.hour >= ${moment(frame.devicesFrom)} and h.hour < ${moment(frame.devicesTo)}
      and (h.hour >= ${devices.ownedSince} or ${devices.ownedSince} is null)
    group by ${devices.id}`
  const since = (column: string) => {
    const [end, begin] = [sql.raw(`e.${column}`), sql.raw(`s.${column}`)]
    // Not a join condition: the planner would consider it selective, and look up each of 100,000 rows separately.
    return sql`case when e.owned_since = ${ownedSince} then ${end} - case when s.owned_since = e.owned_since then ${begin} else 0 end else 0 end as ${sql.raw(column)}`
  }
  const days = sql`
    select ${devices.id} as id, ${since('known_s')}, ${since('online_s')}, ${since('rx_bytes')}, ${since('tx_bytes')}, ${since('signal_sum')}, ${since('signal_count')}
    from ${devices} join device_days e on e.device_id = ${devices.id}
      and e.day = (select max(day) from device_days where day < ${utcDay(frame.devicesTo)} and day >= ${utcDay(frame.devicesFrom)})
      left join device_days s on s.device_id = ${devices.id}
        and s.day = (select max(day) from device_days where day < ${utcDay(frame.devicesFrom)})
    where ${scope.devices(filter)}`
  return sql`
    select x.id as "deviceId", d.group_id as "groupId", d.sn as "deviceSn", d.name as "deviceName", g.name as "groupName",
      x.known_s::float8 as "knownS", x.online_s::float8 as "onlineS", x.rx_bytes::float8 as "rxBytes", x.tx_bytes::float8 as "txBytes",
      x.signal_sum::float8 as "signalSum", x.signal_count::float8 as "signalCount"
    from (select * from (${exact ? hours : days}) x where ${where} order by ${order}, id limit ${limit}) x
      join devices d on d.id = x.id join groups g on g.id = d.group_id
    order by ${order}, d.id`
}
