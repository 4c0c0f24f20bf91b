import { and, asc, count, desc, eq, gte, lte } from 'drizzle-orm'
import { getStatusChart, getStatusHistory } from '#schema/device/status'
import { statusSamples } from '#schema/tables/status'
import { handler } from '../kit/handler.ts'
import { reachHistory } from '../kit/history.ts'
import { page } from '../kit/paging.ts'

const HOUR_MS = 3_600_000
/** A counter difference across more than this says nothing about the bucket it ends in. */
const DIFFERENCE_MAX_H = 24

export const getStatusHistoryHandler = handler(getStatusHistory, async (ctx, body) => {
  const device = await reachHistory(ctx, body.deviceId)
  const where = and(
    eq(statusSamples.deviceId, device.id),
    gte(statusSamples.at, device.since),
    body.from ? gte(statusSamples.at, new Date(body.from)) : undefined,
    body.to ? lte(statusSamples.at, new Date(body.to)) : undefined,
  )
  const list = await ctx.db
    .select({
      at: statusSamples.at,
      uptimeS: statusSamples.uptimeS,
      signalDbm: statusSamples.signalDbm,
      rxBytes: statusSamples.rxBytes,
      txBytes: statusSamples.txBytes,
      load1: statusSamples.load1,
      memoryUsedPercent: statusSamples.memoryUsedPercent,
      temperatureCelsius: statusSamples.temperatureCelsius,
    })
    .from(statusSamples)
    .where(where)
    .orderBy(body.order === 'asc' ? asc(statusSamples.at) : desc(statusSamples.at))
    .limit(body.limit)
    .offset(page(body))
  const [counted] = await ctx.db.select({ total: count() }).from(statusSamples).where(where)
  return { list, total: counted?.total ?? 0 }
})

type Bucket = {
  bucket: number
  signalDbm: number | null
  rxBytes: number | null
  txBytes: number | null
  load1: number | null
  memoryUsedPercent: number | null
}

export const getStatusChartHandler = handler(getStatusChart, async (ctx, body) => {
  const device = await reachHistory(ctx, body.deviceId)
  const to = ctx.now().getTime()
  const from = to - body.hours * HOUR_MS
  const since = device.since
  const widthMs = (to - from) / body.buckets
  // Traffic is the difference to the sample before, which may lie before the range. A device that restarted
  // (its uptime or a counter fell) counts from zero again: then the counter itself is the difference.
  const found = await ctx.sql<Bucket[]>`
    with samples as (
      (select at, uptime_s, signal_dbm, rx_bytes, tx_bytes, load1, memory_used_percent from status_samples
        where device_id = ${device.id} and at >= ${new Date(from)} and at <= ${new Date(to)} and at >= ${since})
      union all
      (select at, uptime_s, null, rx_bytes, tx_bytes, null, null from status_samples
        where device_id = ${device.id} and at < ${new Date(from)} and at > ${new Date(from - DIFFERENCE_MAX_H * HOUR_MS)} and at >= ${since}
        order by at desc limit 1)
    ), steps as (
      select *, lag(rx_bytes) over w as rx_before, lag(tx_bytes) over w as tx_before,
        coalesce(uptime_s < lag(uptime_s) over w, false) as restarted
      from samples window w as (order by at)
    )
    select least(${body.buckets - 1}, floor((extract(epoch from at) * 1000 - ${from}) / ${widthMs}))::int as bucket,
      round(avg(signal_dbm)::numeric, 1)::float8 as "signalDbm",
      sum(case when rx_before is null then null when restarted or rx_bytes < rx_before then rx_bytes else rx_bytes - rx_before end)::float8 as "rxBytes",
      sum(case when tx_before is null then null when restarted or tx_bytes < tx_before then tx_bytes else tx_bytes - tx_before end)::float8 as "txBytes",
      round(avg(load1)::numeric, 2)::float8 as load1,
      round(avg(memory_used_percent)::numeric, 1)::float8 as "memoryUsedPercent"
    from steps where at >= ${new Date(from)} group by 1`
  const byBucket = new Map(found.map((row) => [row.bucket, row]))
  const buckets = Array.from({ length: body.buckets }, (_, i) => byBucket.get(i))
  return {
    at: buckets.map((_, i) => new Date(from + i * widthMs)),
    signalDbm: buckets.map((row) => row?.signalDbm ?? null),
    rxBytes: buckets.map((row) => row?.rxBytes ?? null),
    txBytes: buckets.map((row) => row?.txBytes ?? null),
    load1: buckets.map((row) => row?.load1 ?? null),
    memoryUsedPercent: buckets.map((row) => row?.memoryUsedPercent ?? null),
  }
})
