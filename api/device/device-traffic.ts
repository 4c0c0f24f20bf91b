/** [§2] A device's traffic today, this month, in the last seven days and in total. */
import type { getDeviceDetail } from '#schema/device/device'
import type { ReplyOf } from '#schema/kit/call'
import type { CallContext } from '../kit/handler.ts'
import { reachHistory } from '../kit/history.ts'
import { refuseUnknownZone } from '../report/known-zone.ts'

const DAYS_SHOWN = 7

type Traffic = ReplyOf<typeof getDeviceDetail>['traffic']
type Day = { day: string; rxBytes: number | null; txBytes: number | null }

/**
 * Days are those of the viewer's zone, summed from hours, which are kept for longer than a month; the total is summed
 * from days (UTC) and the sum of deleted days. The hour and day of a move belong partly to the former owner.
 */
export async function readTraffic(ctx: CallContext, deviceId: number, zone: string): Promise<Traffic> {
  const { sql, now } = ctx
  const { since } = await reachHistory(ctx, deviceId)
  const counted = await sql<Day[]>`
    with here as (select (${now()}::timestamptz at time zone ${zone})::date as today)
    select (hour at time zone ${zone})::date::text as day, sum(rx_bytes)::bigint as "rxBytes", sum(tx_bytes)::bigint as "txBytes"
    from traffic_hours, here
    where device_id = ${deviceId} and hour >= ${since}
      and hour >= least(date_trunc('month', today::timestamp), (today - ${DAYS_SHOWN - 1}::int)::timestamp) at time zone ${zone}
    group by 1`.catch((error: unknown) => refuseUnknownZone(error, zone))
  const shown = await sql<Day[]>`
    select ((${now()}::timestamptz at time zone ${zone})::date - ago)::text as day, null::bigint as "rxBytes", null::bigint as "txBytes"
    from generate_series(${DAYS_SHOWN - 1}::int, 0, -1) ago`
  const [sums] = await sql<{ total: number | null }[]>`
    select sum(bytes)::bigint as total from (
      select rx_bytes + tx_bytes as bytes from traffic_days
      where device_id = ${deviceId} and day > (${since}::timestamptz at time zone 'UTC')::date
      union all
      select rx_bytes + tx_bytes from traffic_totals where device_id = ${deviceId} and owned_since >= ${since}) counted`
  const days = shown.map((empty) => counted.find(({ day }) => day === empty.day) ?? empty)
  const month = days.at(-1)?.day.slice(0, 7)
  const sum = (of: readonly Day[]) =>
    of.length === 0
      ? null
      : of.reduce((bytes, { rxBytes, txBytes }) => bytes + (rxBytes ?? 0) + (txBytes ?? 0), 0)
  return {
    todayBytes: sum(counted.filter(({ day }) => day === days.at(-1)?.day)),
    monthBytes: sum(counted.filter(({ day }) => day.slice(0, 7) === month)),
    totalBytes: sums?.total ?? null,
    days,
  }
}
