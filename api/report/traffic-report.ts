import { isComparable, totalOf } from '#schema/report/report-figures'
import { getTrafficReport } from '#schema/report/traffic-report'
import { handler } from '../kit/handler.ts'
import { deviceReply, fitted, frameReply, groupReply, ranked, runReport } from './report-run.ts'

/** Most first. */
const ranking = {
  groups: ranked('coalesce("rxBytes", 0) + coalesce("txBytes", 0) desc'),
  devices: ranked('x.rx_bytes + x.tx_bytes desc'),
  deviceWhere: ranked('x.rx_bytes + x.tx_bytes > 0'),
}

export const getTrafficReportHandler = handler(getTrafficReport, async (ctx, body) => {
  const rows = await runReport(ctx, body, ranking)
  const { series, previous, groups, devices } = rows
  const all = totalOf(series)
  const before = previous && isComparable(previous, series) ? totalOf(previous) : null
  const seriesReply = (of: typeof series) => ({
    rxBytes: fitted(
      of.map((row) => row.rxBytes),
      series.length,
    ),
    txBytes: fitted(
      of.map((row) => row.txBytes),
      series.length,
    ),
  })
  return {
    ...frameReply(rows),
    series: seriesReply(series),
    previous: previous ? seriesReply(previous) : null,
    totals: {
      rxBytes: all.rxBytes,
      txBytes: all.txBytes,
      previousRxBytes: before?.rxBytes ?? null,
      previousTxBytes: before?.txBytes ?? null,
    },
    groups: groups.map((row) => ({ ...groupReply(row), rxBytes: row.rxBytes, txBytes: row.txBytes })),
    devices: devices.map((row) => ({ ...deviceReply(row), rxBytes: row.rxBytes, txBytes: row.txBytes })),
  }
})
