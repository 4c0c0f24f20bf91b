/** Sums devices to fleets and hours to days. Each step replaces existing sums, so it may run again. */
import { signalBands } from '#schema/report/report'
import type { Transaction } from '../kit/processor.ts'

/**
 * Rows of the current hour are newer than the planner's statistics: it expects one row, and a loop over the
 * index for each of 100,000 devices takes a minute where a hash join takes half a second.
 */
async function inBulk(tx: Transaction, work: () => Promise<unknown>): Promise<void> {
  await tx`set local enable_nestloop = off`
  await work()
  await tx`set local enable_nestloop = on`
}

/** A fleet is a group's devices of one model, or one of the coarser keys that reports use. */
export async function sumHour(tx: Transaction, hour: Date): Promise<void> {
  await tx`delete from fleet_hours where hour = ${hour}`
  await inBulk(
    tx,
    () => tx`
    with device as (
      -- A device may call its model as the sum of all models is called: two such rows would end the job, for everybody.
      select h.customer_id, h.group_id, coalesce(nullif(d.model, '*'), '') as model, h.known_s, h.online_s, t.rx_bytes, t.tx_bytes,
        h.signal_sum / nullif(h.signal_count, 0) as signal, h.signal_min, h.signal_max
      from device_hours h join devices d on d.id = h.device_id
        left join traffic_hours t on t.hour = ${hour} and t.device_id = h.device_id
      where h.hour = ${hour})
    insert into fleet_hours (hour, customer_id, group_id, model, devices, known_s, online_s, rx_bytes, tx_bytes, signal_sum,
      signal_devices, signal_min, signal_max, excellent, good, fair, poor)
    select ${hour}::timestamptz, coalesce(customer_id, 0), coalesce(group_id, 0), coalesce(model, '*'), count(*), sum(known_s), sum(online_s),
      sum(rx_bytes), sum(tx_bytes), coalesce(sum(signal), 0), count(signal), min(signal_min), max(signal_max),
      count(*) filter (where signal >= ${signalBands.excellent}::float8),
      count(*) filter (where signal >= ${signalBands.good}::float8 and signal < ${signalBands.excellent}::float8),
      count(*) filter (where signal >= ${signalBands.fair}::float8 and signal < ${signalBands.good}::float8),
      count(*) filter (where signal < ${signalBands.fair}::float8)
    from device group by grouping sets ((customer_id, group_id, model), (customer_id, group_id), (customer_id, model), (customer_id), (model), ())
    -- Of nothing at all there is one sum, too.
    having count(*) > 0`,
  )
}

/** @param day midnight UTC */
export async function sumDay(tx: Transaction, day: Date): Promise<void> {
  const date = day.toISOString().slice(0, 10)
  await tx`delete from fleet_days where day = ${date}`
  await tx`
    insert into fleet_days (day, customer_id, group_id, model, devices, known_s, online_s, rx_bytes, tx_bytes, signal_sum,
      signal_devices, signal_min, signal_max, excellent, good, fair, poor)
    select ${date}::date, customer_id, group_id, model, max(devices), sum(known_s), sum(online_s), sum(rx_bytes), sum(tx_bytes),
      sum(signal_sum), sum(signal_devices), min(signal_min), max(signal_max), sum(excellent), sum(good), sum(fair), sum(poor)
    from fleet_hours where hour >= ${day} and hour < ${day}::timestamptz + interval '1 day' group by customer_id, group_id, model`
}

/**
 * Totals of devices at the end of the day: those of the day before plus this day. A change to a past day is
 * added to the later ones.
 */
export async function sumDevices(tx: Transaction, day: Date): Promise<void> {
  const date = day.toISOString().slice(0, 10)
  await inBulk(
    tx,
    () => tx`
  with hours as (
    select h.device_id, coalesce(d.owned_since, to_timestamp(0)) as owned_since, sum(h.known_s) as known_s, sum(h.online_s) as online_s, sum(h.signal_sum) as signal_sum,
      sum(h.signal_count) as signal_count
    from device_hours h join devices d on d.id = h.device_id and d.customer_id = h.customer_id
    where h.hour >= ${day} and h.hour < ${day}::timestamptz + interval '1 day'
      and (h.hour >= date_trunc('hour', d.owned_since) or d.owned_since is null)
    group by 1, 2),
  before as (select * from device_days where day = (select max(day) from device_days where day < ${date})),
  heard as (
    select * from hours
    union all
    -- Abnormal all day: its totals go on, or a restored device would begin again at zero.
    select b.device_id, b.owned_since, 0, 0, 0, 0 from before b join devices d on d.id = b.device_id and d.purged_at is null
    where not exists (select 1 from hours where hours.device_id = b.device_id)),
  fresh as (
    select h.device_id, h.owned_since, h.known_s + coalesce(b.known_s, 0) as known_s, h.online_s + coalesce(b.online_s, 0) as online_s,
      h.signal_sum + coalesce(b.signal_sum, 0) as signal_sum, h.signal_count + coalesce(b.signal_count, 0) as signal_count,
      coalesce(t.rx_bytes, 0) + coalesce(b.rx_bytes, 0) as rx_bytes, coalesce(t.tx_bytes, 0) + coalesce(b.tx_bytes, 0) as tx_bytes,
      b.known_s as known0, b.online_s as online0, b.signal_sum as sum0, b.signal_count as count0, b.rx_bytes as rx0, b.tx_bytes as tx0
    from heard h left join before b on b.device_id = h.device_id and b.owned_since = h.owned_since
      join devices d on d.id = h.device_id
      left join traffic_days t on t.device_id = h.device_id and t.day = ${date}
        -- The day on which a device changed hands counts for nobody.
        and (t.day > (d.owned_since at time zone 'UTC')::date or d.owned_since is null)),
  change as (
    select f.device_id, f.owned_since, f.known_s - coalesce(o.known_s, f.known0, 0) as known_s,
      f.online_s - coalesce(o.online_s, f.online0, 0) as online_s, f.signal_sum - coalesce(o.signal_sum, f.sum0, 0) as signal_sum,
      f.signal_count - coalesce(o.signal_count, f.count0, 0) as signal_count, f.rx_bytes - coalesce(o.rx_bytes, f.rx0, 0) as rx_bytes,
      f.tx_bytes - coalesce(o.tx_bytes, f.tx0, 0) as tx_bytes
    from fresh f left join device_days o on o.day = ${date} and o.device_id = f.device_id and o.owned_since = f.owned_since),
  lifted as (
    update device_days x set known_s = x.known_s + c.known_s, online_s = x.online_s + c.online_s,
      signal_sum = x.signal_sum + c.signal_sum, signal_count = x.signal_count + c.signal_count,
      rx_bytes = x.rx_bytes + c.rx_bytes, tx_bytes = x.tx_bytes + c.tx_bytes
    from change c where x.device_id = c.device_id and x.owned_since = c.owned_since and x.day > ${date}
      and (c.known_s, c.online_s, c.signal_count, c.rx_bytes, c.tx_bytes) <> (0, 0, 0, 0, 0))
  insert into device_days (day, device_id, owned_since, known_s, online_s, signal_sum, signal_count, rx_bytes, tx_bytes)
  select ${date}::date, device_id, owned_since, known_s, online_s, signal_sum, signal_count, rx_bytes, tx_bytes from fresh
  on conflict (day, device_id) do update set owned_since = excluded.owned_since, known_s = excluded.known_s,
    online_s = excluded.online_s, signal_sum = excluded.signal_sum, signal_count = excluded.signal_count,
    rx_bytes = excluded.rx_bytes, tx_bytes = excluded.tx_bytes`,
  )
}

/** Which firmware runs now; the counts of today are updated until tomorrow. */
export async function sumVersions(tx: Transaction): Promise<void> {
  await tx`delete from version_days where day = (now() at time zone 'UTC')::date`
  await tx`
    insert into version_days (day, customer_id, group_id, model, firmware, devices)
    select (now() at time zone 'UTC')::date, coalesce(customer_id, 0), coalesce(group_id, 0), model, firmware, count(*)
    from (select customer_id, group_id, coalesce(model, '') as model, coalesce(firmware, '') as firmware
      from devices where deleted_at is null) device
    group by grouping sets ((customer_id, group_id, model, firmware), (customer_id, model, firmware), (model, firmware))`
}
