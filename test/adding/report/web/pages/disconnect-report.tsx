import { offlineReasons } from '#schema/device/presence'
import type { Word } from '#schema/kit/words.gen'
import { disconnectReportScreen, getDisconnectReport } from '#schema/report/disconnect-report'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { ReportFilters } from '../report/report-filters.tsx'
import { reportPage } from '../report/report-page.tsx'

export const words: readonly Word[] = ['report', 'disconnect-report', 'device']

const sumOf = (values: readonly (number | null)[]) => values.reduce<number>((sum, n) => sum + (n ?? 0), 0)

export const Page = reportPage({
  screen: disconnectReportScreen,
  call: getDisconnectReport,
  exportName: 'disconnects',
  Filters: (props) => <ReportFilters {...props} noPrevious />,
  view: ({ days, zone, series }) => {
    const shown = offlineReasons
      .map((reason) => ({ name: t(`device:offlineReason.${reason}`), values: series[reason] }))
      .filter(({ values }) => sumOf(values) > 0)
      .toSorted((a, b) => sumOf(b.values) - sumOf(a.values))
    const [first] = shown
    return {
      at: days,
      days: true,
      zone,
      empty: shown.length === 0,
      tiles: [
        {
          key: 'all',
          label: t('disconnect-report:all'),
          value: number(shown.reduce((sum, { values }) => sum + sumOf(values), 0)),
        },
        {
          key: 'most',
          label: t('disconnect-report:most'),
          value: first?.name ?? number(null),
          note: first ? number(sumOf(first.values)) : undefined,
        },
      ],
      charts: [
        {
          key: 'reasons',
          title: t('disconnect-report:byReason'),
          series: shown.map((one) => ({ ...one, kind: 'bar' as const })),
          format: number,
          min: 0,
          stacked: true,
        },
      ],
      columns: shown.map(({ name, values }) => ({ title: name, values, format: number })),
    }
  },
})
