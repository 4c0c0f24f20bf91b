import { getProbeChart, PROBE_TARGETS_MAX } from '#schema/device/probe'
import { handler } from '../kit/handler.ts'
import { reachHistory } from '../kit/history.ts'
import { chartBuckets } from './chart-buckets.ts'

type Last = { target: string; link: string | null; at: Date; avgMs: number | null; loss: number }
type Bucket = { target: string; bucket: number; avgMs: number | null; loss: number }

export const getProbeChartHandler = handler(getProbeChart, async (ctx, body) => {
  const device = await reachHistory(ctx, body.deviceId)
  const { from, to, widthMs, at } = chartBuckets(body, ctx.now())
  const since = new Date(Math.max(from, device.since.getTime()))
  const lasts = await ctx.sql<Last[]>`
    select * from (
      select distinct on (target) target, link, at, avg_ms::float8 as "avgMs", 100.0 * (sent - received) / sent as loss
      from probe_samples where device_id = ${device.id} and at >= ${since} and at <= ${new Date(to)} order by target, at desc) l
    order by at desc, target limit ${PROBE_TARGETS_MAX}`
  // The mean of responses, not of samples: a sample with a single response has weight one.
  const found = await ctx.sql<Bucket[]>`
    select target, least(${body.buckets - 1}, floor((extract(epoch from at) * 1000 - ${from}) / ${widthMs}))::int as bucket,
      (sum(avg_ms * received) filter (where avg_ms is not null) / nullif(sum(received) filter (where avg_ms is not null), 0))::float8 as "avgMs",
      (100.0 * (sum(sent) - sum(received)) / sum(sent))::float8 as loss
    from probe_samples
    where device_id = ${device.id} and at >= ${since} and at <= ${new Date(to)} and target = any(${lasts.map((row) => row.target)})
    group by 1, 2`
  const round = (value: number | null | undefined) =>
    value === null || value === undefined ? null : Math.round(value * 10) / 10
  const byTarget = Map.groupBy(found, (row) => row.target)
  return {
    at,
    targets: lasts
      .toSorted((a, b) => (a.target < b.target ? -1 : 1))
      .map(({ target, link, at: lastAt, avgMs, loss }) => {
        const buckets = new Map((byTarget.get(target) ?? []).map((row) => [row.bucket, row]))
        const series = (read: (row: Bucket) => number | null) =>
          Array.from({ length: body.buckets }, (_, i) => {
            const row = buckets.get(i)
            return row ? round(read(row)) : null
          })
        return {
          target,
          link,
          lastAt,
          lastMs: round(avgMs),
          lastLossPercent: round(Number(loss)) ?? 0,
          avgMs: series((row) => row.avgMs),
          lossPercent: series((row) => row.loss),
        }
      }),
  }
})
