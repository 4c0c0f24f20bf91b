import { IconGauge, IconListDetails } from '@tabler/icons-react'
import { deviceStates } from '#schema/device/device-state'
import type { Word } from '#schema/kit/words.gen'
import { collectionStates, getMonitorDevices, monitorDeviceScreen } from '#schema/monitor/monitor-device'
import { monitorTerminalScreen } from '#schema/monitor/monitor-lists'
import { variableScreen } from '#schema/monitor/variable-pages'
import { detailLink } from '../device/device-options.ts'
import { DeviceState } from '../device/device-state.tsx'
import { Empty } from '../kit/empty.tsx'
import { number, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter, Row } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { goTo } from '../kit/navigation.ts'
import { holdsScreen } from '../kit/session.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { sentences } from '../kit/words/sentences.ts'
import { placeFilters } from '../monitor/place-filters.ts'

export const words: readonly Word[] = ['monitor-device', 'variable', 'project', 'device', 'device-state']

type Gateway = Row<typeof getMonitorDevices>

const tones: Readonly<Record<Gateway['collection'], Tone>> = {
  running: 'online',
  waiting: 'pending',
  refused: 'major',
  none: 'offline',
}

/** While a gateway is offline, its last report about its slaves may no longer be true. */
const counted = (row: Gateway, count: number) => (row.online ? number(count) : UNKNOWN)

const warningText = ({ kind, place, percent, shortestS, terminals }: Gateway['warnings'][number]) =>
  t(`monitor-device:warning.${kind}`, {
    place: place ?? '',
    percent: number(percent ?? 0),
    seconds: number(shortestS ?? 0),
    count: terminals,
  })
const warningsText = ({ warnings }: Gateway) => sentences(warnings.map(warningText))

const columns: readonly Column<Gateway>[] = [
  {
    key: 'state',
    title: 'monitor-device:field.state',
    width: 136,
    pinned: 'left',
    card: 'beside',
    render: (row) => <DeviceState device={row} />,
    text: (row) => t(`device-state:${row.state}`),
  },
  { key: 'deviceName', title: 'monitor-device:field.deviceName', width: 160, pinned: 'left', card: 'title' },
  {
    key: 'deviceSn',
    title: 'monitor-device:field.deviceSn',
    width: 130,
    render: (row) => <Mono value={row.deviceSn} />,
  },
  { key: 'groupName', title: 'monitor-device:field.groupName', width: 90 },
  { key: 'model', title: 'monitor-device:field.model', width: 110, extra: true },
  { key: 'terminalCount', title: 'monitor-device:field.terminalCount', width: 100, numeric: true },
  {
    key: 'answeringCount',
    title: 'monitor-device:field.answeringCount',
    width: 110,
    numeric: true,
    // What does not respond is looked for; the others are the rest.
    extra: true,
    // Those of foreign sources do not depend on the gateway.
    render: (row) => (row.answeringCount > 0 ? number(row.answeringCount) : counted(row, 0)),
  },
  {
    key: 'silentCount',
    title: 'monitor-device:field.silentCount',
    width: 130,
    numeric: true,
    render: (row) => counted(row, row.silentCount),
  },
  {
    key: 'collection',
    title: 'monitor-device:field.collection',
    width: 170,
    render: (row) => (
      <StatusChip
        tone={row.collection === 'running' && row.warnings.length > 0 ? 'warning' : tones[row.collection]}
        label={t(`monitor-device:collection.${row.collection}`)}
        hint={row.collection === 'refused' ? row.refusedReason : warningsText(row) || undefined}
      />
    ),
    text: (row) => t(`monitor-device:collection.${row.collection}`),
  },
  {
    key: 'reportedAt',
    title: 'monitor-device:field.reportedAt',
    width: 120,
    render: (row) => <When at={row.reportedAt} zone={row.timeZone} />,
  },
  {
    key: 'warnings',
    title: 'monitor-device:field.warnings',
    width: 130,
    render: (row) =>
      row.warnings.length === 0 ? null : (
        <StatusChip
          tone={row.warnings.some(({ kind }) => kind === 'busOverloaded') ? 'major' : 'warning'}
          label={t('monitor-device:warnings', { count: row.warnings.length })}
          hint={warningsText(row)}
        />
      ),
    text: warningsText,
  },
]

const filters: readonly Filter[] = [
  ...placeFilters,
  {
    key: 'state',
    label: 'monitor-device:field.state',
    width: 150,
    useOptions: () => deviceStates.map((value) => ({ value, label: t(`device-state:${value}`) })),
  },
  {
    // Links and views saved before there were states choose by connection: shown while they do.
    key: 'online',
    label: 'device:filter.online',
    width: 150,
    when: (value) => value !== '',
    useOptions: () => [
      { value: 'yes', label: t('kit:tone.online') },
      { value: 'no', label: t('kit:tone.offline') },
    ],
  },
  {
    key: 'collection',
    label: 'monitor-device:field.collection',
    width: 150,
    useOptions: () =>
      collectionStates.map((value) => ({ value, label: t(`monitor-device:collection.${value}`) })),
  },
]

export const Page = listPage({
  screen: monitorDeviceScreen,
  call: getMonitorDevices,
  rowKey: 'id',
  columns,
  filters,
  searchPlaceholder: 'monitor-device:search',
  exportName: 'monitored-devices',
  refreshS: 10,
  rowLink: (row) => detailLink({ groupId: row.groupId, deviceId: row.id }),
  rowActions: (row) => [
    ...(holdsScreen(monitorTerminalScreen)
      ? [
          {
            key: 'terminals',
            label: t('monitor-device:terminals'),
            icon: IconListDetails,
            run: () => goTo(`${monitorTerminalScreen.path}?search=${encodeURIComponent(row.deviceSn)}`),
          },
        ]
      : []),
    ...(holdsScreen(variableScreen)
      ? [
          {
            key: 'values',
            label: t('monitor-device:values'),
            icon: IconGauge,
            run: () => goTo(`${variableScreen.path}?search=${encodeURIComponent(row.deviceSn)}`),
          },
        ]
      : []),
  ],
  empty: () => <Empty title={t('monitor-device:first.title')} text={t('monitor-device:first.text')} />,
})
