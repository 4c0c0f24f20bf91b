import type { Word } from '#schema/kit/words.gen'
import { getTrafficReport, trafficReportScreen } from '#schema/report/traffic-report'
import { binaryStep } from '../kit/chart/chart.tsx'
import { bytes, viewerZone } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { ReportFilters } from '../report/report-filters.tsx'
import { changeText, frameView, groupPath, ReportLists } from '../report/report-lists.tsx'
import { reportPage } from '../report/report-page.tsx'
import { ScheduleButton } from '../report/report-schedules.tsx'

export const words: readonly Word[] = ['report', 'traffic-report', 'report-schedule', 'device']

type Moved = { rxBytes: number | null; txBytes: number | null }
/** Unknown halves are left out; if all are unknown the total is unknown. */
const total = ({ rxBytes, txBytes }: Moved) =>
  rxBytes === null && txBytes === null ? null : (rxBytes ?? 0) + (txBytes ?? 0)
const totals = ({
  rxBytes,
  txBytes,
}: {
  rxBytes: readonly (number | null)[]
  txBytes: readonly (number | null)[]
}) => rxBytes.map((rx, i) => total({ rxBytes: rx, txBytes: txBytes[i] ?? null }))

const movedColumns = <R extends Moved>(most: number) => [
  { title: t('traffic-report:received'), numeric: true, cell: (row: R) => bytes(row.rxBytes) },
  { title: t('traffic-report:sent'), numeric: true, cell: (row: R) => bytes(row.txBytes) },
  {
    title: t('traffic-report:total'),
    numeric: true,
    cell: (row: R) => bytes(total(row)),
    bar: (row: R) => ((total(row) ?? 0) / Math.max(1, most)) * 100,
  },
]
const highest = (rows: readonly Moved[]) => Math.max(0, ...rows.map((row) => total(row) ?? 0))

export const Page = reportPage({
  screen: trafficReportScreen,
  call: getTrafficReport,
  exportName: 'traffic',
  Filters: ReportFilters,
  Actions: ({ state }) => <ScheduleButton report="traffic" state={state} />,
  view: (reply, state) => {
    const { series, previous } = reply
    const { rxBytes, txBytes, previousRxBytes, previousTxBytes } = reply.totals
    const sum = total({ rxBytes, txBytes })
    return {
      ...frameView(reply, viewerZone()),
      empty: totals(series).every((value) => value === null),
      tiles: [
        {
          key: 'total',
          label: t('traffic-report:total'),
          value: bytes(sum),
          note: changeText(sum, total({ rxBytes: previousRxBytes, txBytes: previousTxBytes })),
        },
        {
          key: 'received',
          label: t('traffic-report:received'),
          value: bytes(rxBytes),
          note: changeText(rxBytes, previousRxBytes),
        },
        {
          key: 'sent',
          label: t('traffic-report:sent'),
          value: bytes(txBytes),
          note: changeText(txBytes, previousTxBytes),
        },
      ],
      charts: [
        {
          key: 'traffic',
          title: t('traffic-report:title'),
          series: [
            { name: t('traffic-report:received'), values: series.rxBytes, kind: 'bar' },
            { name: t('traffic-report:sent'), values: series.txBytes, kind: 'bar' },
            ...(previous ? [{ name: t('report:previous'), values: totals(previous), muted: true }] : []),
          ],
          format: bytes,
          min: 0,
          step: binaryStep,
          stacked: true,
          height: 320,
        },
      ],
      columns: [
        {
          title: t('traffic-report:receivedBytes'),
          shownTitle: t('traffic-report:received'),
          values: series.rxBytes,
          format: bytes,
        },
        {
          title: t('traffic-report:sentBytes'),
          shownTitle: t('traffic-report:sent'),
          values: series.txBytes,
          format: bytes,
        },
        ...(previous ? [{ title: t('report:previous'), values: totals(previous), format: bytes }] : []),
      ],
      below: state.deviceId ? null : (
        <ReportLists
          reply={reply}
          devicesTitle={t('traffic-report:top')}
          pick={groupPath(trafficReportScreen.path, state)}
          groupColumns={movedColumns(highest(reply.groups))}
          deviceColumns={movedColumns(highest(reply.devices))}
        />
      ),
    }
  },
})
