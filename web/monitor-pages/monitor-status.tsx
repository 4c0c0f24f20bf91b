import { deviceStates } from '#schema/device/device-state'
import { bandOf } from '#schema/kit/figure'
import type { Word } from '#schema/kit/words.gen'
import { getMonitorStatus, monitorStatusScreen } from '#schema/monitor/monitor-status'
import { onlineBands } from '#schema/report/online-report'
import { detailLink, ofGroups } from '../device/device-options.ts'
import { StateChip } from '../device/device-state.tsx'
import { bandTones } from '../kit/chart/ink.ts'
import { Empty } from '../kit/empty.tsx'
import { duration, fixed, number, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { countColumn } from '../kit/list/count-column.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter, Row } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { When } from '../kit/time.tsx'

export const words: readonly Word[] = ['monitor-status', 'device', 'device-state']

type Status = Row<typeof getMonitorStatus>
const PERIODS = [1, 7, 30, 90]

const stateText = (row: Status) => t(`device-state:${row.state}`)
const share = (row: Status) => `${number(row.answeringCount)} / ${number(row.terminalCount)}`
/** Below each other, with the same decimals. */
const rate = (row: Status) => (row.onlinePercent === null ? UNKNOWN : `${fixed(row.onlinePercent, 2)}%`)
const away = (row: Status) => (row.offlineS === null ? UNKNOWN : duration(row.offlineS))

const columns: readonly Column<Status>[] = [
  { key: 'deviceName', title: 'monitor-status:field.device', width: 180, pinned: 'left', card: 'title' },
  {
    key: 'deviceSn',
    title: 'monitor-status:field.sn',
    width: 150,
    render: (row) => <Mono value={row.deviceSn} />,
  },
  {
    key: 'state',
    title: 'monitor-status:field.state',
    width: 124,
    card: 'beside',
    // Since when has a column of its own.
    render: (row) => <StateChip state={row.state} />,
    text: stateText,
  },
  {
    key: 'onlineChangedAt',
    title: 'monitor-status:field.since',
    width: 165,
    render: (row) => <When at={row.onlineChangedAt} zone={row.timeZone} absolute />,
  },
  {
    key: 'onlinePercent',
    title: 'monitor-status:field.rate',
    width: 110,
    numeric: true,
    render: (row) =>
      row.onlinePercent === null ? (
        UNKNOWN
      ) : (
        <span style={{ color: `var(--${bandTones[bandOf(onlineBands, row.onlinePercent)]})` }}>
          {rate(row)}
        </span>
      ),
    text: (row) => (row.onlinePercent === null ? null : rate(row)),
  },
  {
    key: 'offlineS',
    title: 'monitor-status:field.offline',
    width: 130,
    numeric: true,
    render: away,
    text: away,
  },
  { key: 'groupName', title: 'monitor-status:field.group', width: 130 },
  { key: 'drops', title: 'monitor-status:field.drops', width: 150, numeric: true },
  {
    key: 'terminalCount',
    title: 'monitor-status:field.terminals',
    width: 170,
    numeric: true,
    render: share,
    csv: false,
  },
  countColumn('terminalsAnswering', 'monitor-status:field.answering', (row) => row.answeringCount),
  countColumn('terminalsAll', 'monitor-status:field.terminalsAll', (row) => row.terminalCount),
]

const filters: readonly Filter[] = [
  {
    key: 'days',
    label: 'monitor-status:period',
    width: 150,
    useOptions: () =>
      PERIODS.map((days) => ({ value: String(days), label: t('monitor-status:lastDays', { count: days }) })),
  },
  {
    key: 'state',
    label: 'monitor-status:field.state',
    width: 120,
    useOptions: () => deviceStates.map((value) => ({ value, label: t(`device-state:${value}`) })),
  },
  {
    // Links and views saved before there were states choose by connection: shown while they do.
    key: 'online',
    label: 'device:filter.online',
    width: 120,
    when: (value) => value !== '',
    useOptions: () =>
      (['online', 'offline'] as const).map((value) => ({ value, label: t(`kit:tone.${value}`) })),
  },
  {
    key: 'groupId',
    label: 'monitor-status:field.group',
    width: 140,
    ...ofGroups,
  },
]

export const Page = listPage({
  screen: monitorStatusScreen,
  call: getMonitorStatus,
  rowKey: (row) => String(row.deviceId),
  columns,
  filters,
  searchPlaceholder: 'monitor-status:search',
  exportName: 'monitor-status',
  refreshS: 20,
  rowLink: detailLink,
  line: 'monitor-status:line',
  empty: () => <Empty title={t('monitor-status:none')} text={t('monitor-status:noneText')} />,
})
