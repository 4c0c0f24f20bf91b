/**
 * Adds counter differences of new samples to hours and days, exactly once: samples are read in the order of
 * `stored_at`, and the sums are committed together with the watermark (row 0 of traffic_cursors).
 */
import { CLOCK_AHEAD_MAX_MS } from '#schema/device/status'
import { rollUpTraffic } from '#schema/platform/upkeep'
import { BYTES_PER_S_MAX } from '#schema/report/rollup'
import { processor, type Transaction, type WorkerContext } from '../kit/processor.ts'

/**
 * `stored_at` is the start of an ingest transaction, which lasts at most 20 s: no older rows can appear after
 * this time.
 */
const SETTLED_S = 25
/** Time range read in one step: bounds memory and transaction time after a long pause. */
const WINDOW_MINUTES = 60

/** A watermark this far ahead of the clock means that the clock was set back [decisions/061]. */
const AHEAD_S = 60
/** Range that is read again then: each device's own cursor knows what is counted. */
const AGAIN_MINUTES = 10
/** No sample is stamped later than this after it is stored, unless the clock was set back in between. */
const STAMPED_AHEAD_S = CLOCK_AHEAD_MAX_MS / 1000

/**
 * Resets what is in the future: the watermark, and the cursors of devices whose last sample was stamped by the former clock.
 * Such a device would count nothing until that time came again. Its counters stay: the next difference begins with them.
 */
async function followClock(tx: Transaction): Promise<void> {
  const { count } = await tx`update traffic_cursors set at = now() - make_interval(mins => ${AGAIN_MINUTES})
    where device_id = 0 and at > now() + make_interval(secs => ${AHEAD_S})`
  if (count > 0)
    await tx`update traffic_cursors set at = now()
      where device_id <> 0 and at > now() + make_interval(secs => ${STAMPED_AHEAD_S})`
}

/** Returns true if there is more to read. */
function rollUpWindow(ctx: WorkerContext): Promise<boolean> {
  return ctx.sql.begin(async (tx) => {
    await tx`insert into traffic_cursors (device_id, at)
      select 0, coalesce(min(stored_at), now()) - interval '1 second' from status_samples
      where not exists (select 1 from traffic_cursors where device_id = 0)
      on conflict do nothing`
    await followClock(tx)
    // The lock on the watermark makes a second process wait, and then find nothing left to read.
    const [window] = await tx<{ from: string; to: string; more: boolean; empty: boolean }[]>`
      select at::text as from, least(now() - make_interval(secs => ${SETTLED_S}), at + make_interval(mins => ${WINDOW_MINUTES}))::text as to,
        at + make_interval(mins => ${WINDOW_MINUTES}) < now() - make_interval(secs => ${SETTLED_S}) as more,
        at >= now() - make_interval(secs => ${SETTLED_S}) as empty
      from traffic_cursors where device_id = 0 for update`
    if (!window || window.empty) return false
    await addWindow(tx, window.from, window.to)
    await tx`update traffic_cursors set at = ${window.to}::text::timestamptz where device_id = 0`
    return window.more
  })
}

const addWindow = (tx: Transaction, from: string, to: string) => tx`
  with fresh as (
    select s.device_id, s.at, s.rx_bytes, s.tx_bytes
    from status_samples s left join traffic_cursors c on c.device_id = s.device_id
    where s.stored_at > ${from}::text::timestamptz and s.stored_at <= ${to}::text::timestamptz
      and s.rx_bytes is not null and s.tx_bytes is not null
      -- Older than what is counted already: its bytes are in a difference that was taken over its head.
      and (c.at is null or s.at > c.at)
      -- Stored by a clock that was set back, and stamped again by the roll-up of signal: counted before.
      and s.at <= s.stored_at + make_interval(secs => ${STAMPED_AHEAD_S})),
  chain as (
    select device_id, at, rx_bytes, tx_bytes, false as counted from fresh
    union all
    select device_id, at, rx_bytes, tx_bytes, true from traffic_cursors
    where rx_bytes is not null and device_id in (select device_id from fresh)),
  steps as (
    select device_id, at, counted, rx_bytes as rx, tx_bytes as tx,
      lag(rx_bytes) over before as rx0, lag(tx_bytes) over before as tx0, lag(at) over before as at0
    from chain window before as (partition by device_id order by at)),
  moved as (
    -- Either counter below its last value: the device restarted, both began again at zero.
    select device_id, at, case when rx < rx0 or tx < tx0 then rx else rx - rx0 end as rx,
      case when rx < rx0 or tx < tx0 then tx else tx - tx0 end as tx,
      greatest(1, extract(epoch from at - at0)) * ${BYTES_PER_S_MAX}::float8 as most
    from steps where not counted and rx0 is not null),
  believed as (
    select device_id, at, case when rx <= most then rx else 0 end as rx, case when tx <= most then tx else 0 end as tx
    from moved),
  hours as (
    insert into traffic_hours (device_id, hour, rx_bytes, tx_bytes)
    select device_id, date_trunc('hour', at, 'UTC'), sum(rx), sum(tx) from believed group by 1, 2
    on conflict (device_id, hour) do update
      set rx_bytes = traffic_hours.rx_bytes + excluded.rx_bytes, tx_bytes = traffic_hours.tx_bytes + excluded.tx_bytes),
  days as (
    insert into traffic_days (device_id, day, rx_bytes, tx_bytes)
    select device_id, (at at time zone 'UTC')::date, sum(rx), sum(tx) from believed group by 1, 2
    on conflict (device_id, day) do update
      set rx_bytes = traffic_days.rx_bytes + excluded.rx_bytes, tx_bytes = traffic_days.tx_bytes + excluded.tx_bytes),
  -- The fleet's sums of these hours are out of date. An update even of what is there: see rollUpSignal.
  stale as (
    insert into stale_hours (hour) select distinct date_trunc('hour', at, 'UTC') from believed
    on conflict (hour) do update set hour = excluded.hour)
  insert into traffic_cursors (device_id, at, rx_bytes, tx_bytes)
  select distinct on (device_id) device_id, at, rx_bytes, tx_bytes from fresh order by device_id, at desc
  on conflict (device_id) do update set at = excluded.at, rx_bytes = excluded.rx_bytes, tx_bytes = excluded.tx_bytes`

export const rollUpTrafficJob = processor(rollUpTraffic, async (ctx) => {
  let windows = 1
  while (await rollUpWindow(ctx)) windows++
  return { windows }
})
