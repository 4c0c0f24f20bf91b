import { getOnlineReport } from '#schema/report/online-report'
import { bucketPercent, offlineSeconds, onlinePercent, totalOf } from '#schema/report/report-figures'
import { stepSeconds } from '#schema/report/report-frame'
import { handler } from '../kit/handler.ts'
import { deviceReply, fitted, frameReply, groupReply, ranked, runReport } from './report-run.ts'

/** Worst first. */
const ranking = {
  groups: ranked('"onlineS" / nullif("knownS", 0) asc nulls last'),
  devices: ranked('x.online_s::float8 / nullif(x.known_s, 0) asc, x.known_s desc'),
  deviceWhere: ranked('x.known_s > 0'),
}

export const getOnlineReportHandler = handler(getOnlineReport, async (ctx, body) => {
  const rows = await runReport(ctx, body, ranking)
  const { frame, series, previous, groups, devices } = rows
  const now = ctx.now().getTime()
  const passedS = (atMs: number) => Math.min(stepSeconds[frame.step], (now - atMs) / 1000)
  const all = totalOf(series)
  const seriesReply = (of: typeof series) => ({
    percent: fitted(
      of.map((row) => bucketPercent(row, passedS(row.atMs))),
      series.length,
    ),
    devices: fitted(
      of.map((row) => row.devices),
      series.length,
    ),
  })
  return {
    ...frameReply(rows),
    series: seriesReply(series),
    previous: previous ? seriesReply(previous) : null,
    totals: {
      percent: onlinePercent(all),
      previousPercent: previous ? onlinePercent(totalOf(previous)) : null,
      onlineS: all.onlineS ?? 0,
      knownS: all.knownS ?? 0,
    },
    groups: groups.map((row) => ({
      ...groupReply(row),
      percent: onlinePercent(row),
      offlineS: offlineSeconds(row),
    })),
    devices: devices.map((row) => ({
      ...deviceReply(row),
      percent: onlinePercent(row),
      offlineS: offlineSeconds(row),
    })),
  }
})
