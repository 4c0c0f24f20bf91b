import { sql } from 'drizzle-orm'
import { type OfflineReason, offlineReasons } from '#schema/device/presence'
import { getDisconnectReport } from '#schema/report/disconnect-report'
import { devices } from '#schema/tables/device'
import { presenceRecords } from '#schema/tables/presence'
import { handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { askFrame } from './report-run.ts'

const DAY_MS = 86_400_000

type Day = { day: string; isKept: boolean; counts: Partial<Record<OfflineReason, number>> | null }

export const getDisconnectReportHandler = handler(getDisconnectReport, async (ctx, body) => {
  const { from, to, zone } = await askFrame(ctx, body)
  const keptMs = (await ctx.parameters.get('presenceDays', null)) * DAY_MS
  const moment = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`
  const dayOf = (at: unknown) => sql`date_trunc('day', ${at} at time zone ${zone}::text)`
  const found = await ctx.db.execute<Day>(sql`
    with ended as (
      select ${dayOf(presenceRecords.offlineAt)} as day, ${presenceRecords.reason} as reason, count(*)::int as count
      from ${presenceRecords} join ${devices} on ${devices.id} = ${presenceRecords.deviceId}
      where ${visible(ctx.actor).reports.devices(body)}
        and ${presenceRecords.offlineAt} >= ${moment(from)} and ${presenceRecords.offlineAt} < ${moment(to)}
        -- A device's past stays with whom it belonged to.
        and (${devices.ownedSince} is null or ${presenceRecords.offlineAt} >= ${devices.ownedSince})
        and ${presenceRecords.reason} is not null
      group by 1, 2)
    select to_char(d.day, 'YYYY-MM-DD') as day, d.day at time zone ${zone}::text >= ${moment(ctx.now().getTime() - keptMs)} as "isKept",
      (select jsonb_object_agg(reason, count) from ended where ended.day = d.day) as counts
    from generate_series(${dayOf(moment(from))}, ${moment(to - 1)} at time zone ${zone}::text, '1 day') as d(day)
    order by d.day`)
  const days = [...found]
  const of = (reason: OfflineReason) =>
    days.map(({ isKept, counts }) => counts?.[reason] ?? (isKept ? 0 : null))
  return {
    zone,
    days: days.map(({ day }) => day),
    series: Object.fromEntries(offlineReasons.map((reason) => [reason, of(reason)])) as Record<
      OfflineReason,
      (number | null)[]
    >,
  }
})
