/**
 * Which devices of a planned task use mobile data, and for which of them the file exceeds the rest of their data plan.
 */
import { sql } from 'drizzle-orm'
import { devices } from '#schema/tables/device'
import { BYTES_PER_MB, type MobileData } from '#schema/task/data-plan'
import { UNMETERED } from '#schema/task/task-rollout'
import { amongIds } from '../kit/among-ids.ts'
import type { CallContext } from '../kit/handler.ts'

const SAMPLE = 5

type Row = Pick<MobileData, 'devices' | 'unknown' | 'over' | 'sample'>

/** `ids`: devices that the actor sees. Traffic from the time of a former owner is not counted. */
export async function mobileDataOf(
  { db, now }: CallContext,
  ids: readonly number[],
  sizeBytes: number,
): Promise<MobileData> {
  const at = now().toISOString()
  const [row] = await db.execute<Row>(sql`
    with recursive mobile as materialized (
      select devices.id, devices.sn, devices.group_id, devices.owned_since, devices.data_plan_mb
      from devices join device_states s on s.device_id = devices.id
      where ${amongIds(devices.id, ids)} and s.network_mode is not null
        and upper(s.network_mode) <> all(${`{${UNMETERED.join(',')}}`}::text[])),
    above as (
      select g.id as group_id, g.parent_id, g.data_plan_mb, 0 as nth from groups g where g.id in (select group_id from mobile)
      union all select a.group_id, g.parent_id, g.data_plan_mb, a.nth + 1 from above a join groups g on g.id = a.parent_id),
    plans as materialized (
      select distinct on (group_id) group_id, data_plan_mb as mb from above where data_plan_mb is not null order by group_id, nth),
    judged as materialized (
      select m.sn, coalesce(m.data_plan_mb, p.mb) as mb, case when coalesce(m.data_plan_mb, p.mb) is null then 0 else (
          select coalesce(sum(t.rx_bytes + t.tx_bytes), 0) from traffic_days t where t.device_id = m.id
            and t.day >= date_trunc('month', ${at}::timestamptz at time zone 'UTC')::date
            and (m.owned_since is null or t.day > (m.owned_since at time zone 'UTC')::date)) end as used
      from mobile m left join plans p on p.group_id = m.group_id)
    select count(*)::int as devices, count(*) filter (where mb is null)::int as unknown,
      count(*) filter (where used + ${sizeBytes}::bigint > mb::bigint * ${BYTES_PER_MB}::int)::int as over,
      coalesce((array_agg(sn order by sn) filter (where used + ${sizeBytes}::bigint > mb::bigint * ${BYTES_PER_MB}::int))[1:${sql.raw(String(SAMPLE))}], '{}') as sample
    from judged`)
  const found = row ?? { devices: 0, unknown: 0, over: 0, sample: [] }
  return { ...found, bytes: found.devices * sizeBytes }
}
