import { bandNames, bandOf } from '#schema/kit/figure'
import type { Word } from '#schema/kit/words.gen'
import { signalBands } from '#schema/report/report'
import { getSignalReport, signalReportScreen } from '#schema/report/signal-report'
import { bandTones } from '../kit/chart/ink.ts'
import { fixed, number, percent, UNKNOWN, viewerZone } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { ReportFilters } from '../report/report-filters.tsx'
import { frameView, groupPath, ReportLists } from '../report/report-lists.tsx'
import { reportPage } from '../report/report-page.tsx'
import { ScheduleButton } from '../report/report-schedules.tsx'

export const words: readonly Word[] = ['report', 'signal-report', 'report-schedule', 'device']

/** Devices measure whole dBm: only an average has a decimal. */
const dbm = (value: number | null, digits = 1) => (value === null ? UNKNOWN : `${number(value, digits)} dBm`)
/** Good and bad are recognisable by colour. */
const signalColour = ({ average }: { average: number | null }) =>
  average === null ? '--offline' : `--${bandTones[bandOf(signalBands, average)]}`
/** In a column: with the same decimals below each other. */
const even = (value: number | null) => (value === null ? UNKNOWN : fixed(value, 1))
const whole = (value: number | null) => (value === null ? UNKNOWN : fixed(value, 0))
const evenShare = (value: number | null) => (value === null ? UNKNOWN : `${fixed(value, 1)}%`)
const share = (value: number | null) => percent(value, 1)
/** Maps −110 dBm to 0 and −50 dBm to the maximum. */
const strength = (value: number | null) =>
  value === null ? 0 : Math.max(0, Math.min(100, ((value + 110) / 60) * 100))

export const Page = reportPage({
  screen: signalReportScreen,
  call: getSignalReport,
  exportName: 'signal',
  Filters: ReportFilters,
  Actions: ({ state }) => <ScheduleButton report="signal" state={state} />,
  view: (reply, state) => {
    const { series, previous, totals } = reply
    const change =
      totals.average !== null && totals.previousAverage !== null
        ? totals.average - totals.previousAverage
        : null
    return {
      ...frameView(reply, viewerZone()),
      empty: series.average.every((value) => value === null),
      tiles: [
        {
          key: 'average',
          label: t('signal-report:average'),
          value: dbm(totals.average),
          note:
            change === null
              ? undefined
              : t('signal-report:decibels', { change: `${change > 0 ? '+' : ''}${number(change, 1)}` }),
        },
        { key: 'min', label: t('signal-report:min'), value: dbm(totals.min, 0) },
        { key: 'max', label: t('signal-report:max'), value: dbm(totals.max, 0) },
        {
          key: 'poor',
          label: t('signal-report:poorShare'),
          value: share(totals.poorPercent),
          note: t('signal-report:poorNote', { limit: signalBands.fair }),
        },
      ],
      charts: [
        {
          key: 'signal',
          title: t('signal-report:title'),
          series: [
            { name: t('signal-report:average'), values: series.average },
            { name: t('signal-report:max'), values: series.max, tone: 'online' },
            { name: t('signal-report:min'), values: series.min, tone: 'critical' },
            ...(previous ? [{ name: t('report:previous'), values: previous.average, muted: true }] : []),
          ],
          format: (value) => `${number(value, 1)} dBm`,
          digits: 1,
          bands: signalBands,
        },
        {
          key: 'bands',
          title: t('signal-report:distribution'),
          series: bandNames.map((band) => ({
            name: t(`signal-report:band.${band}`, signalBands),
            values: series[band],
            kind: 'bar' as const,
            tone: bandTones[band],
          })),
          format: (value) => percent(value, 0),
          min: 0,
          max: 100,
          step: () => 25,
          stacked: true,
        },
      ],
      columns: [
        { title: t('signal-report:averageDbm'), values: series.average, format: even },
        { title: t('signal-report:minDbm'), values: series.min, format: whole },
        { title: t('signal-report:maxDbm'), values: series.max, format: whole },
        ...bandNames.map((band) => ({
          title: t(`signal-report:band.${band}`, signalBands),
          values: series[band],
          format: evenShare,
        })),
        ...(previous
          ? [
              {
                title: t('report:previous'),
                values: previous.average,
                format: even,
              },
            ]
          : []),
      ],
      below: state.deviceId ? null : (
        <ReportLists
          reply={reply}
          devicesTitle={t('signal-report:worst')}
          pick={groupPath(signalReportScreen.path, state)}
          groupColumns={[
            { title: t('signal-report:poorShare'), numeric: true, cell: (row) => share(row.poorPercent) },
            {
              title: t('signal-report:average'),
              numeric: true,
              cell: (row) => dbm(row.average),
              bar: (row) => strength(row.average),
              colour: signalColour,
            },
          ]}
          deviceColumns={[
            { title: t('signal-report:samples'), numeric: true, cell: (row) => number(row.samples) },
            {
              title: t('signal-report:average'),
              numeric: true,
              cell: (row) => dbm(row.average),
              bar: (row) => strength(row.average),
              colour: signalColour,
            },
          ]}
        />
      ),
    }
  },
})
