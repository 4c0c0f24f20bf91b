/** A week of history of the fleet, with a morning of unknown data: reports without history show little. */
import { sumDay } from '#workers/report/sum-fleet'
import type { TestContext } from '../harness.ts'

export async function reportPast({ sql }: TestContext): Promise<void> {
  await sql`
    insert into fleet_hours (hour, customer_id, group_id, model, devices, known_s, online_s, rx_bytes, tx_bytes, signal_sum, signal_devices,
      signal_min, signal_max, excellent, good, fair, poor)
    select h, coalesce(customer_id, 0), coalesce(group_id, 0), coalesce(model, '*'), sum(n), sum(n) * 3600, sum(n) * (3600 - 240 * (1 + sin(k / 5.0)) - case when k % 61 = 0 then 900 else 0 end)::int,
      sum(n) * (3000000 + 2400000 * sin(k * 0.26))::bigint, sum(n) * (500000 + 300000 * sin(k * 0.26))::bigint, sum(n) * (-76 + 5 * sin(k / 9.0)), sum(n),
      -104 + 3 * sin(k / 4.0), -55 + 2 * sin(k / 7.0), sum(n) / 3, sum(n) / 3, sum(n) / 6, sum(n) - sum(n) / 3 * 2 - sum(n) / 6
    from (select customer_id, group_id, coalesce(model, '') as model, count(*) as n from devices group by 1, 2, 3) fleet,
      generate_series(1, 190) k, lateral (select date_trunc('hour', now(), 'UTC') - make_interval(hours => k) as h) hours
    where k not between 50 and 57
    group by k, h, grouping sets ((customer_id, group_id, model), (customer_id, group_id), (customer_id, model), (customer_id), (model), ())
    on conflict do nothing`
  // Lists by group read whole days of UTC from these.
  const days = await sql<
    { day: Date }[]
  >`select distinct date_trunc('day', hour, 'UTC') as day from fleet_hours`
  await sql.begin(async (tx) => {
    // The workers may be about to sum the same days.
    await tx`lock table fleet_days in exclusive mode`
    for (const { day } of days) await sumDay(tx, day)
  })
  await sql`
    insert into version_days (day, customer_id, group_id, model, firmware, devices)
    select (now() at time zone 'UTC')::date - d, 0, 0, 'R200', v, case v when '3.3.0' then 9 - d else d + 1 end
    from generate_series(0, 8) d, unnest(array['3.3.0', '3.2.9']) v on conflict do nothing`
  await sql`
    insert into rollup_cursors (name, at) values ('signal', now()), ('fleet', date_trunc('hour', now(), 'UTC')) on conflict do nothing`
}
