import { bandOf } from '#schema/kit/figure'
import type { Word } from '#schema/kit/words.gen'
import { getOnlineReport, onlineBands, onlineReportScreen } from '#schema/report/online-report'
import { bandTones } from '../kit/chart/ink.ts'
import { duration, fixed, number, percent, UNKNOWN, viewerZone } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { ReportFilters } from '../report/report-filters.tsx'
import { frameView, groupPath, ReportLists } from '../report/report-lists.tsx'
import { reportPage } from '../report/report-page.tsx'
import { ScheduleButton } from '../report/report-schedules.tsx'

export const words: readonly Word[] = ['report', 'online-report', 'report-schedule', 'device']

const rate = (value: number | null) => percent(value, 2)
/** Below each other, with the same decimals. */
const evenRate = (value: number | null) => (value === null ? UNKNOWN : `${fixed(value, 2)}%`)

const rateColour = ({ percent: value }: { percent: number | null }) =>
  value === null ? '--offline' : `--${bandTones[bandOf(onlineBands, value)]}`

export const Page = reportPage({
  screen: onlineReportScreen,
  call: getOnlineReport,
  exportName: 'online-rate',
  Filters: ReportFilters,
  Actions: ({ state }) => <ScheduleButton report="online" state={state} />,
  view: (reply, state) => {
    const { series, previous, totals } = reply
    const frame = frameView(reply, viewerZone())
    const most = Math.max(0, ...series.devices.map((count) => count ?? 0))
    const change =
      totals.percent !== null && totals.previousPercent !== null
        ? totals.percent - totals.previousPercent
        : null
    return {
      ...frame,
      empty: series.percent.every((value) => value === null),
      tiles: [
        {
          key: 'rate',
          label: t('online-report:rate'),
          value: rate(totals.percent),
          note:
            change === null
              ? undefined
              : t('online-report:points', { change: `${change > 0 ? '+' : ''}${number(change, 2)}` }),
        },
        { key: 'devices', label: t('online-report:devices'), value: number(most) },
        {
          key: 'offline',
          label: t('online-report:offlineTime'),
          // If nothing is known, the offline time is unknown, not zero.
          value: totals.knownS > 0 ? duration(Math.max(0, totals.knownS - totals.onlineS)) : UNKNOWN,
          note: most > 1 ? t('online-report:offlineNote') : undefined,
        },
      ],
      charts: [
        {
          key: 'rate',
          title: t('online-report:rate'),
          series: [
            { name: t('online-report:rate'), values: series.percent, kind: 'area', tone: 'online' },
            ...(previous ? [{ name: t('report:previous'), values: previous.percent, muted: true }] : []),
          ],
          format: (value) => percent(value, 1),
          min: 0,
          max: 100,
          step: () => 25,
          height: 320,
        },
      ],
      columns: [
        {
          title: t('online-report:ratePercent'),
          shownTitle: t('online-report:rate'),
          values: series.percent,
          format: evenRate,
        },
        { title: t('online-report:devices'), values: series.devices, format: number },
        ...(previous ? [{ title: t('report:previous'), values: previous.percent, format: evenRate }] : []),
      ],
      below: state.deviceId ? null : (
        <ReportLists
          reply={{ ...reply, devices: reply.devices.filter(({ offlineS }) => offlineS > 0) }}
          devicesTitle={t('online-report:worst')}
          noDevices={t('online-report:noneOffline')}
          pick={groupPath(onlineReportScreen.path, state)}
          groupColumns={[
            {
              title: t('online-report:rate'),
              numeric: true,
              cell: (row) => evenRate(row.percent),
              bar: (row) => row.percent ?? 0,
              colour: rateColour,
            },
          ]}
          deviceColumns={[
            { title: t('online-report:offlineTime'), numeric: true, cell: (row) => duration(row.offlineS) },
            {
              title: t('online-report:rate'),
              numeric: true,
              cell: (row) => evenRate(row.percent),
              bar: (row) => row.percent ?? 0,
              colour: rateColour,
            },
          ]}
        />
      ),
    }
  },
})
