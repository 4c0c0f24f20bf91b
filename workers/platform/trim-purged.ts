/** Sums that outlived their device. */
import type { WorkerContext } from '../kit/processor.ts'

/** What roll-ups write for each device; each has an index that begins with it. */
const SUMS = [
  'traffic_hours',
  'traffic_days',
  'traffic_totals',
  'traffic_cursors',
  'device_hours',
  'device_days',
] as const

/**
 * A roll-up that had read the samples of a device before it was purged stores their sums afterwards. The devices of a table are found one
 * by one through its index: there may be years of rows of each. Device 0 is the watermark of a roll-up. Returns the number of rows.
 */
export async function trimPurged({ sql }: WorkerContext): Promise<number> {
  let gone = 0
  for (const name of SUMS) {
    const table = sql(name)
    const { count } = await sql`
      delete from ${table} where device_id = any(array(
        with recursive ids as (
          select min(device_id) as id from ${table}
          union all select (select min(device_id) from ${table} where device_id > ids.id) from ids where ids.id is not null)
        select id from ids where id <> 0 and not exists (select from devices where devices.id = ids.id)))`
    gone += count
  }
  return gone
}
