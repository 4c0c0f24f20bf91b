import { and, gte, lte } from 'drizzle-orm'
import { integer, pgTable } from 'drizzle-orm/pg-core'
import { eachFigure, type FigureName, figureList } from '#schema/device/figure'
import { getStatusChart, getStatusHistory } from '#schema/device/status'
import { at, bytes, figureColumns } from '#schema/tables/columns'
import { handler } from '../kit/handler.ts'
import { reachHistory } from '../kit/history.ts'
import { listOf } from '../kit/list-of.ts'
import { chartBuckets } from './chart-buckets.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** A counter difference over more than this time says nothing about the bucket in which it ends. */
const DIFFERENCE_MAX_H = 24

/** A view of samples and packs; a list reads it like a table [decisions/141]. */
const statusHistory = pgTable('status_history', {
  deviceId: integer('device_id').notNull(),
  day: at('day').notNull(),
  at: at('at').notNull(),
  uptimeS: bytes('uptime_s'),
  rxBytes: bytes('rx_bytes'),
  txBytes: bytes('tx_bytes'),
  ...figureColumns(),
})
const midnight = (ms: number) => new Date(Math.floor(ms / DAY_MS) * DAY_MS)

export const getStatusHistoryHandler = listOf(getStatusHistory, statusHistory, ({ db }) => ({
  table: statusHistory,
  rows: db
    .select({
      at: statusHistory.at,
      uptimeS: statusHistory.uptimeS,
      rxBytes: statusHistory.rxBytes,
      txBytes: statusHistory.txBytes,
      ...eachFigure(({ name }) => statusHistory[name]),
    })
    .from(statusHistory),
  filters: {
    from: (from) =>
      and(gte(statusHistory.day, midnight(Date.parse(from))), gte(statusHistory.at, new Date(from))),
    to: (to) => and(lte(statusHistory.day, new Date(to)), lte(statusHistory.at, new Date(to))),
  },
  tie: statusHistory.at,
}))

type Bucket = Record<FigureName | 'rxBytes' | 'txBytes', number | null> & { bucket: number }

const columns = figureList.map(({ column }) => column)
const averages = figureList
  .map(
    ({ name, column, digits }) =>
      `round(avg(${column})::numeric, ${Math.max(1, digits)})::float8 as "${name}"`,
  )
  .join(', ')

export const getStatusChartHandler = handler(getStatusChart, async (ctx, body) => {
  const device = await reachHistory(ctx, body.deviceId)
  const { from, to, widthMs, at } = chartBuckets(body, ctx.now())
  const since = device.since
  // Traffic is the difference to the previous sample, which may be before the range. A device that restarted (its
  // uptime or a counter decreased) counts from zero again: then the counter itself is the difference.
  const found = await ctx.sql<Bucket[]>`
    with samples as (
      (select at, uptime_s, rx_bytes, tx_bytes, ${ctx.sql.unsafe(columns.join(', '))} from status_history
        where device_id = ${device.id} and day >= date_trunc('day', ${new Date(from)}::timestamptz, 'UTC') and at >= ${new Date(from)} and at <= ${new Date(to)} and day <= ${new Date(to)} and at >= ${since})
      union all
      (select at, uptime_s, rx_bytes, tx_bytes, ${ctx.sql.unsafe(columns.map(() => 'null').join(', '))} from status_history
        where device_id = ${device.id} and day >= date_trunc('day', ${new Date(from - DIFFERENCE_MAX_H * HOUR_MS)}::timestamptz, 'UTC')
          and day <= ${new Date(from)} and at < ${new Date(from)} and at > ${new Date(from - DIFFERENCE_MAX_H * HOUR_MS)} and at >= ${since}
        order by at desc limit 1)
    ), steps as (
      select *, lag(rx_bytes) over w as rx_before, lag(tx_bytes) over w as tx_before,
        coalesce(uptime_s < lag(uptime_s) over w, false) as restarted
      from samples window w as (order by at)
    )
    select least(${body.buckets - 1}, floor((extract(epoch from at) * 1000 - ${from}) / ${widthMs}))::int as bucket,
      sum(case when rx_before is null then null when restarted or rx_bytes < rx_before then rx_bytes else rx_bytes - rx_before end)::float8 as "rxBytes",
      sum(case when tx_before is null then null when restarted or tx_bytes < tx_before then tx_bytes else tx_bytes - tx_before end)::float8 as "txBytes",
      ${ctx.sql.unsafe(averages)}
    from steps where at >= ${new Date(from)} group by 1`
  const byBucket = new Map(found.map((row) => [row.bucket, row]))
  const buckets = Array.from({ length: body.buckets }, (_, i) => byBucket.get(i))
  return {
    at,
    rxBytes: buckets.map((row) => row?.rxBytes ?? null),
    txBytes: buckets.map((row) => row?.txBytes ?? null),
    ...eachFigure(({ name }) => buckets.map((row) => row?.[name] ?? null)),
  }
})
