/** A single device's day from raw data: samples and connections, in buckets of ten minutes. */
import { type SQL, sql } from 'drizzle-orm'
import { signalBands } from '../report/report.ts'
import type { Frame } from '../report/report-frame.ts'
import { BYTES_PER_S_MAX, OUTAGE_DAYS_MAX, RETURN_GRACE_S } from '../report/rollup.ts'
import { devices } from './device.ts'

const moment = (ms: number) => sql`to_timestamp(${ms / 1000}::float8)`
const seconds = (multirange: SQL) =>
  sql`(select sum(extract(epoch from upper(r) - lower(r)))::float8 from unnest(${multirange}) r)`
const WIDTH = sql.raw(`interval '10 minutes'`)

/** The same columns as the series of hours and days; `mine` are the visible devices. */
export function rawSeriesSql(frame: Frame, mine: SQL, deviceId: number, previous: boolean): SQL {
  const from = moment(previous ? frame.previousFrom : frame.from)
  const to = moment(previous ? frame.previousTo : frame.to)
  return sql`
    with life as (
      select ${devices.id} as id, greatest(${from}, ${devices.ownedSince}, (select min(online_at) from presence_records where device_id = ${deviceId})) as since,
        least(${to}, now()) as until, ${devices.ownedSince} as owned
      from ${devices} where ${devices.id} = ${deviceId} and ${mine}
        and exists (select 1 from presence_records where device_id = ${deviceId})),
    buckets as (select lo, lo + ${WIDTH} as hi from generate_series(${from}, ${to} - interval '1 microsecond', ${WIDTH}) lo),
    online as (
      select range_agg(tstzrange(online_at, coalesce(offline_at, 'infinity'))) as during from presence_records
      where device_id = ${deviceId} and online_at < ${to} and (offline_at is null or offline_at > ${from})),
    away as (
      select range_agg(tstzrange(p.offline_at, coalesce((select min(online_at) + make_interval(secs => ${RETURN_GRACE_S}) from presence_records
        where online_at > date_trunc('second', p.offline_at) + interval '1 second'), 'infinity'))) as during
      from presence_records p where p.device_id = ${deviceId} and p.reason in ('brokerLost', 'brokerStopped')
        and p.offline_at < ${to} and p.offline_at > ${from} - make_interval(days => ${OUTAGE_DAYS_MAX})),
    presence as (
      select b.lo, x.existing - (coalesce(a.during, '{}') - coalesce(o.during, '{}')) as known, x.existing * coalesce(o.during, '{}') as up
      from buckets b, life, online o, away a,
        lateral (select tstzmultirange(tstzrange(greatest(b.lo, since), least(b.hi, until))) as existing) x
      where greatest(b.lo, since) < least(b.hi, until)),
    samples as (
      select at, signal_dbm, rx_bytes, tx_bytes, lag(rx_bytes) over w as rx0, lag(tx_bytes) over w as tx0,
        greatest(1, extract(epoch from at - lag(at) over w)) * ${BYTES_PER_S_MAX}::float8 as most
      from status_history, life where device_id = ${deviceId}
        and day >= date_trunc('day', ${from} - interval '1 hour', 'UTC') and day <= ${to} and at >= greatest(${from} - interval '1 hour', owned) and at < ${to}
      window w as (order by at)),
    steps as (
      -- Either counter below its last value: the device restarted, both began again at zero.
      select at, signal_dbm, most, case when rx0 is null then null when rx_bytes < rx0 or tx_bytes < tx0 then rx_bytes else rx_bytes - rx0 end as rx,
        case when tx0 is null then null when rx_bytes < rx0 or tx_bytes < tx0 then tx_bytes else tx_bytes - tx0 end as tx
      from samples),
    reported as (
      select date_bin(${WIDTH}, at, ${from}) as lo, avg(signal_dbm) as signal, min(signal_dbm) as low, max(signal_dbm) as high,
        sum(case when rx > most then 0 else rx end) as rx, sum(case when tx > most then 0 else tx end) as tx
      from steps where at >= ${from} group by 1)
    select (extract(epoch from b.lo) * 1000)::float8 as "atMs", case when p.lo is not null then 1 end as devices,
      ${seconds(sql`p.known`)} as "knownS", case when p.lo is not null then coalesce(${seconds(sql`p.up`)}, 0) end as "onlineS",
      t.rx::float8 as "rxBytes", t.tx::float8 as "txBytes", t.signal::float8 as "signalSum", (t.signal is not null)::int as "signalDevices",
      t.low::float8 as "signalMin", t.high::float8 as "signalMax", coalesce(t.signal >= ${signalBands.excellent}::float8, false)::int as excellent,
      coalesce(t.signal >= ${signalBands.good}::float8 and t.signal < ${signalBands.excellent}::float8, false)::int as good,
      coalesce(t.signal >= ${signalBands.fair}::float8 and t.signal < ${signalBands.good}::float8, false)::int as fair,
      coalesce(t.signal < ${signalBands.fair}::float8, false)::int as poor
    from buckets b left join presence p on p.lo = b.lo left join reported t on t.lo = b.lo order by 1`
}
