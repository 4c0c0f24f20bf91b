import { bandNames } from '#schema/kit/figure'
import { averageDbm, bandPercent, dbm, type Figures, totalOf } from '#schema/report/report-figures'
import { getSignalReport } from '#schema/report/signal-report'
import { handler } from '../kit/handler.ts'
import { deviceReply, fitted, frameReply, groupReply, ranked, runReport } from './report-run.ts'

/** Worst first. */
const ranking = {
  groups: ranked('"signalSum" / nullif("signalDevices", 0) asc nulls last'),
  devices: ranked('x.signal_sum / nullif(x.signal_count, 0) asc'),
  deviceWhere: ranked('x.signal_count > 0'),
}
const average = (of: Figures) => averageDbm(of.signalSum, of.signalDevices)

export const getSignalReportHandler = handler(getSignalReport, async (ctx, body) => {
  const rows = await runReport(ctx, body, ranking)
  const { series, previous, groups, devices } = rows
  const all = totalOf(series)
  const [excellent, good, fair, poor] = bandNames.map((band) =>
    series.map((row) => bandPercent(row, band)),
  ) as [(number | null)[], (number | null)[], (number | null)[], (number | null)[]]
  return {
    ...frameReply(rows),
    series: {
      average: series.map(average),
      min: series.map((row) => dbm(row.signalMin)),
      max: series.map((row) => dbm(row.signalMax)),
      excellent,
      good,
      fair,
      poor,
    },
    previous: previous ? { average: fitted(previous.map(average), series.length) } : null,
    totals: {
      average: average(all),
      previousAverage: previous ? average(totalOf(previous)) : null,
      min: dbm(all.signalMin),
      max: dbm(all.signalMax),
      poorPercent: bandPercent(all, 'poor'),
    },
    groups: groups.map((row) => ({
      ...groupReply(row),
      average: average(row),
      poorPercent: bandPercent(row, 'poor'),
    })),
    devices: devices.map((row) => ({
      ...deviceReply(row),
      average: averageDbm(row.signalSum, row.signalCount),
      samples: row.signalCount,
    })),
  }
})
