import { deviceListScreen } from '#schema/device/device-pages'
import type { Word } from '#schema/kit/words.gen'
import { getVersionReport, versionReportScreen } from '#schema/report/version-report'
import { Card } from '../kit/card.tsx'
import { OTHER_VERSIONS, UNKNOWN_VERSION, versionColours } from '../kit/chart/version-colours.ts'
import { number, percent } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { ifHeld, PageLink } from '../kit/page-link.tsx'
import { holdsScreen } from '../kit/session.ts'
import { ReportFilters } from '../report/report-filters.tsx'
import { reportPage } from '../report/report-page.tsx'
import { ScheduleButton } from '../report/report-schedules.tsx'
import { ReportTable } from '../report/report-table.tsx'

export const words: readonly Word[] = ['report', 'version-report', 'report-schedule', 'device']

const SHOWN = 5
const nameOf = (version: string) =>
  version === UNKNOWN_VERSION
    ? t('version-report:unknown')
    : version === OTHER_VERSIONS
      ? t('version-report:rest')
      : version

/** Link to the counted devices. */
function devicesPath(model: string, firmware: string, groupId: string) {
  const query = new URLSearchParams({ model, firmware })
  if (groupId) query.set('groupId', groupId)
  return `${deviceListScreen.path}?${query}`
}

export const Page = reportPage({
  screen: versionReportScreen,
  call: getVersionReport,
  exportName: 'software-versions',
  Filters: (props) => <ReportFilters {...props} noPrevious />,
  Actions: ({ state }) => <ScheduleButton report="version" state={state} />,
  view: (reply, state) => {
    const { current, days, firmwares, history, versions: fleet } = reply
    const models = [...new Set(current.map(({ model }) => model))]
    const counts = new Map<string, number>()
    for (const { firmware, devices } of current) counts.set(firmware, (counts.get(firmware) ?? 0) + devices)
    const versions = [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
    // A single one has its name: "others" stands for two or more.
    const top = versions.length > SHOWN + 1 ? versions.slice(0, SHOWN) : versions
    const shown = top.length < versions.length ? [...top, OTHER_VERSIONS] : top
    // Those in no chart take no colour: there are fewer colours than a fleet may have versions.
    const colours = versionColours(fleet, [...top, ...firmwares])
    const colourOf = (version: string) => ({ colour: colours.get(version) ?? '--text-3' })
    const all = current.reduce((sum, { devices }) => sum + devices, 0)
    const main = versions[0]
    const countOf = (model: string, version: string) =>
      current
        .filter(
          (row) =>
            row.model === model &&
            (version === OTHER_VERSIONS ? !top.includes(row.firmware) : row.firmware === version),
        )
        .reduce((sum, { devices }) => sum + devices, 0)
    return {
      at: days,
      days: true,
      zone: 'UTC',
      empty: current.length === 0,
      note: t('report:utcDays'),
      tiles: [
        { key: 'devices', label: t('report:devices'), value: number(all) },
        { key: 'versions', label: t('version-report:versions'), value: number(versions.length) },
        {
          key: 'main',
          label: t('version-report:most'),
          value: main === undefined ? number(null) : nameOf(main),
          note:
            main === undefined || all === 0 ? undefined : percent(((counts.get(main) ?? 0) / all) * 100, 1),
        },
      ],
      charts: [
        {
          key: 'current',
          title: t('version-report:current'),
          labels: models.map(nameOf),
          series: shown.map((version) => ({
            name: nameOf(version),
            values: models.map((model) => countOf(model, version)),
            ...colourOf(version),
            kind: 'bar' as const,
          })),
          format: number,
          min: 0,
          stacked: true,
          onPick: (name, index) => {
            const version = shown.find((one) => nameOf(one) === name)
            const model = models[index]
            // Devices without a known model or version cannot be filtered: the list would show all of them.
            if (model && version && version !== OTHER_VERSIONS && holdsScreen(deviceListScreen))
              goTo(devicesPath(model, version, state.groupId))
          },
        },
        ...(state.deviceId
          ? []
          : [
              {
                key: 'history',
                title: t('version-report:history'),
                series: firmwares.map((version, i) => ({
                  name: nameOf(version),
                  values: history[i] ?? [],
                  ...colourOf(version),
                  kind: 'bar' as const,
                })),
                format: number,
                min: 0,
                stacked: true,
              },
            ]),
      ],
      columns: firmwares.map((version, i) => ({
        title: nameOf(version),
        values: history[i] ?? [],
        format: number,
      })),
      below: (
        <Card title={t('version-report:byModel')}>
          <ReportTable
            label={t('version-report:byModel')}
            rows={current}
            rowKey={({ model, firmware }) => JSON.stringify([model, firmware])}
            columns={[
              { title: t('report:model'), cell: ({ model }) => nameOf(model) },
              {
                title: t('version-report:firmware'),
                cell: ({ model, firmware }) =>
                  model && firmware ? (
                    <PageLink to={ifHeld(deviceListScreen, devicesPath(model, firmware, state.groupId))}>
                      {firmware}
                    </PageLink>
                  ) : (
                    nameOf(firmware)
                  ),
              },
              {
                title: t('report:devices'),
                numeric: true,
                cell: ({ devices }) => number(devices),
                bar: ({ devices }) => (devices / Math.max(1, all)) * 100,
                colour: ({ firmware }) => colourOf(firmware).colour,
              },
            ]}
          />
        </Card>
      ),
    }
  },
})
