/** Seconds online and seconds known of every device in one hour, from the connection records. */
import { OUTAGE_DAYS_MAX, RETURN_GRACE_S } from '#schema/report/rollup'
import type { Transaction } from '../kit/processor.ts'

/**
 * Recomputes one hour, the current one up to now. The state of a device is known from its first connection
 * on, except while the platform was down (decision 043), until its deletion or a change of owner.
 */
export const countPresence = (tx: Transaction, hour: Date) => tx`
  with span as (select ${hour}::timestamptz as lo, least(${hour}::timestamptz + interval '1 hour', now()) as hi),
  online as (
    -- Together, not one by one: a takeover overlaps its predecessor for a moment.
    select p.device_id, range_agg(tstzrange(greatest(p.online_at, lo), least(coalesce(p.offline_at, hi), hi))) as during
    from presence_records p, span
    where p.online_at < hi and (p.offline_at is null or p.offline_at > lo) group by 1),
  ended as (
    select p.device_id, p.offline_at, date_trunc('second', p.offline_at) as moment from presence_records p, span
    where p.reason in ('brokerLost', 'brokerStopped') and p.offline_at < hi
      and p.offline_at > lo - make_interval(days => ${OUTAGE_DAYS_MAX})),
  outages as (
    select moment, coalesce((select min(online_at) + make_interval(secs => ${RETURN_GRACE_S}) from presence_records
      where online_at > moment + interval '1 second'), 'infinity') as until
    from (select distinct moment from ended) moments),
  away as (
    select e.device_id, range_agg(tstzrange(e.offline_at, o.until)) as during
    from ended e join outages o using (moment), span where o.until > lo group by 1),
  existing as (
    select d.id, d.customer_id, d.group_id, tstzmultirange(tstzrange(e.since, e.until)) as during
    from span, devices d, lateral (select min(online_at) as at from presence_records where device_id = d.id) f,
      lateral (select greatest(lo, f.at, d.owned_since) as since,
        least(hi, d.deleted_at) as until) e
    where d.purged_at is null and f.at is not null and e.since < e.until),
  counted as (
    select e.id, e.customer_id, e.group_id, e.during * coalesce(o.during, '{}') as online,
      e.during - (coalesce(a.during, '{}') - coalesce(o.during, '{}')) as known
    from existing e left join online o on o.device_id = e.id left join away a on a.device_id = e.id)
  insert into device_hours as h (device_id, hour, customer_id, group_id, known_s, online_s)
  select id, lo, customer_id, group_id,
    (select coalesce(round(sum(extract(epoch from upper(r) - lower(r)))), 0) from unnest(known) r),
    (select coalesce(round(sum(extract(epoch from upper(r) - lower(r)))), 0) from unnest(online) r)
  from counted, span
  -- In one order with the sums of signal, which write the same rows: two orders wait for each other.
  order by id
  on conflict (device_id, hour) do update set known_s = excluded.known_s, online_s = excluded.online_s
  where h.customer_id = excluded.customer_id and (h.known_s, h.online_s) is distinct from (excluded.known_s, excluded.online_s)`
