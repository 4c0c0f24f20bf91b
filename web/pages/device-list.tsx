import { Group, Text, Tooltip } from '@mantine/core'
import {
  IconArrowsExchange,
  IconCopyOff,
  IconEdit,
  IconFolderSymlink,
  IconMapPin,
  IconPackageImport,
  IconPower,
  IconReport,
  IconTrash,
} from '@tabler/icons-react'
import { deviceListScreen, exportDevices, getDeviceList } from '#schema/device'
import { functions } from '#schema/functions'
import { bytes, duration, number, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { listPage } from '../kit/list-page.tsx'
import type { Column, Filter, Selection } from '../kit/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { goTo } from '../kit/navigation.ts'
import { When } from '../kit/time.tsx'
import type { Word } from '../kit/words.ts'
import { rebootMany } from '../parts/device-commands.ts'
import { type ManyDevices, oneOf, openDeviceDialog } from '../parts/device-dialogs.tsx'
import { DeviceListActions, FirstDevice } from '../parts/device-list-actions.tsx'
import { type DeviceRow, detailPath, useFacet, useGroupOptions } from '../parts/device-options.ts'
import { deviceChip } from '../parts/device-status.tsx'
import { presenceStrip } from '../parts/presence-strip.tsx'

export const words: readonly Word[] = ['device', 'command', 'device-map', 'unusual']

const columns: readonly Column<DeviceRow>[] = [
  {
    key: 'online',
    title: 'device:column.online',
    width: 118,
    pinned: 'left',
    card: 'beside',
    render: deviceChip,
  },
  {
    key: 'deviceName',
    title: 'device:column.deviceName',
    width: 152,
    pinned: 'left',
    card: 'title',
    render: (row) => (
      <Group gap={4} wrap="nowrap">
        <Text span truncate>
          {row.deviceName}
        </Text>
        {row.duplicateSuspectedAt ? (
          <Tooltip label={t('device:duplicate')}>
            <IconCopyOff size={16} stroke={1.5} color="var(--warning)" aria-label={t('device:duplicate')} />
          </Tooltip>
        ) : null}
      </Group>
    ),
  },
  {
    key: 'deviceSn',
    title: 'device:column.deviceSn',
    width: 136,
    render: (row) => <Mono value={row.deviceSn} />,
  },
  { key: 'presence', title: 'device:column.presence', width: 104, render: presenceStrip, csv: false },
  { key: 'groupName', title: 'device:column.groupName', width: 88 },
  { key: 'model', title: 'device:column.model', width: 84 },
  { key: 'firmware', title: 'device:column.firmware', width: 108 },
  { key: 'ip', title: 'device:column.ip', width: 116, render: (row) => <Mono value={row.ip} /> },
  {
    key: 'signalDbm',
    title: 'device:column.signalDbm',
    width: 124,
    numeric: true,
    render: (row) => number(row.signalDbm),
  },
  { key: 'networkMode', title: 'device:column.networkMode', width: 100, extra: true },
  {
    key: 'trafficTodayBytes',
    title: 'device:column.trafficTodayBytes',
    width: 124,
    numeric: true,
    extra: true,
    render: (row) => bytes(row.trafficTodayBytes),
  },
  {
    key: 'lastSeenAt',
    title: 'device:column.lastSeenAt',
    width: 112,
    extra: true,
    render: (row) => <When at={row.lastSeenAt} />,
  },
  { key: 'customerName', title: 'device:column.customerName', width: 140, extra: true },
  { key: 'address', title: 'device:column.address', width: 200, extra: true },
  {
    key: 'onlineChangedAt',
    title: 'device:column.onlineFor',
    width: 120,
    extra: true,
    render: (row) =>
      row.online && row.onlineChangedAt
        ? duration((Date.now() - Date.parse(row.onlineChangedAt)) / 1000)
        : UNKNOWN,
  },
  {
    key: 'lastLoginAt',
    title: 'device:fact.lastLogin',
    width: 150,
    extra: true,
    render: (row) => <When at={row.lastLoginAt} />,
  },
  {
    key: 'lastLogoutAt',
    title: 'device:fact.lastLogout',
    width: 150,
    extra: true,
    render: (row) => <When at={row.lastLogoutAt} />,
  },
  { key: 'onlineCount', title: 'device:fact.onlineCount', width: 110, numeric: true, extra: true },
  { key: 'offlineCount', title: 'device:fact.offlineCount', width: 110, numeric: true, extra: true },
  { key: 'manufacturer', title: 'device:fact.manufacturer', width: 130, extra: true },
  {
    key: 'hardwareType',
    title: 'device:fact.hardware',
    width: 130,
    extra: true,
    render: (row) => [row.hardwareType, row.hardwareVersion].filter(Boolean).join(' ') || UNKNOWN,
  },
  { key: 'kernel', title: 'device:fact.kernel', width: 120, extra: true },
  {
    key: 'mac',
    title: 'device:column.mac',
    width: 160,
    extra: true,
    render: (row) => <Mono value={row.mac} />,
  },
  {
    key: 'imei',
    title: 'device:column.imei',
    width: 160,
    extra: true,
    render: (row) => <Mono value={row.imei} />,
  },
  {
    key: 'imsi',
    title: 'device:column.imsi',
    width: 160,
    extra: true,
    render: (row) => <Mono value={row.imsi} />,
  },
  {
    key: 'iccid',
    title: 'device:column.iccid',
    width: 190,
    extra: true,
    render: (row) => <Mono value={row.iccid} />,
  },
  { key: 'operator', title: 'device:network.operator', width: 120, extra: true },
  { key: 'longitude', title: 'device:network.longitude', width: 110, numeric: true, extra: true },
  { key: 'latitude', title: 'device:network.latitude', width: 110, numeric: true, extra: true },
  {
    key: 'createdAt',
    title: 'device:fact.createdAt',
    width: 150,
    extra: true,
    render: (row) => <When at={row.createdAt} />,
  },
  { key: 'deviceId', title: 'device:column.deviceId', width: 100, numeric: true, extra: true },
]

const filters: readonly Filter[] = [
  {
    key: 'online',
    label: 'device:filter.online',
    width: 120,
    useOptions: () => [
      { value: 'online', label: t('kit:tone.online') },
      { value: 'offline', label: t('kit:tone.offline') },
    ],
  },
  { key: 'groupId', label: 'device:filter.group', useOptions: useGroupOptions },
  { key: 'model', label: 'device:filter.model', width: 140, useOptions: () => useFacet('models') },
  { key: 'firmware', label: 'device:filter.firmware', width: 140, useOptions: () => useFacet('firmwares') },
]

/** The upgrade page reads the devices, or the filter that names them, from its address. */
function upgrade(eligible: readonly DeviceRow[], selection: Selection<DeviceRow>) {
  const query = new URLSearchParams({ new: '1' })
  if (selection.all) query.set('filter', JSON.stringify(selection.filter))
  else query.set('dids', eligible.map(({ deviceId }) => deviceId).join(','))
  goTo(`/task/upgrade?${query}`)
}

function manyOf(
  eligible: readonly DeviceRow[],
  { all, count, filter, clear }: Selection<DeviceRow>,
): ManyDevices {
  const [only] = eligible
  return {
    name: !all && eligible.length === 1 ? (only?.deviceName ?? null) : null,
    count: all ? count : eligible.length,
    selection: all ? { filter } : { dids: eligible.map(({ deviceId }) => deviceId) },
    after: clear,
  }
}

export const Page = listPage({
  screen: deviceListScreen,
  call: getDeviceList,
  rowKey: 'deviceId',
  columns,
  filters,
  searchPlaceholder: 'device:searchPlaceholder',
  refreshS: 10,
  exportCall: exportDevices,
  exportFunctionId: functions.deviceExport,
  exportName: 'devices',
  rowLink: detailPath,
  rowActions: (row) => [
    {
      key: 'detail',
      label: t('device:action.detail'),
      icon: IconReport,
      functionId: functions.deviceDetail,
      run: () => goTo(detailPath(row)),
    },
    {
      key: 'reboot',
      label: t('command:name.reboot'),
      icon: IconPower,
      functionId: functions.deviceReboot,
      reason: row.online ? null : t('device:reason.offline'),
      run: () => void rebootMany([row]),
    },
    {
      key: 'upgrade',
      label: t('device:action.upgrade'),
      icon: IconPackageImport,
      functionId: functions.upgradeCreate,
      run: () => goTo(`/task/upgrade?new=1&dids=${row.deviceId}`),
    },
    {
      key: 'edit',
      label: t('unusual:edit'),
      icon: IconEdit,
      functionId: functions.deviceEdit,
      run: () => openDeviceDialog({ kind: 'edit', device: row }),
    },
    {
      key: 'place',
      label: t('device-map:place.verb'),
      icon: IconMapPin,
      functionId: functions.deviceEdit,
      run: () => openDeviceDialog({ kind: 'place', device: row }),
    },
    {
      key: 'move',
      label: t('unusual:move.verb'),
      icon: IconFolderSymlink,
      functionId: functions.deviceMove,
      run: () => openDeviceDialog({ kind: 'move', many: oneOf(row) }),
    },
    {
      key: 'swap',
      label: t('unusual:swap.verb'),
      icon: IconArrowsExchange,
      functionId: functions.deviceSwap,
      run: () => openDeviceDialog({ kind: 'swap', device: row }),
    },
    {
      key: 'delete',
      label: t('unusual:delete.verb'),
      icon: IconTrash,
      functionId: functions.deviceDelete,
      danger: true,
      run: () => openDeviceDialog({ kind: 'delete', many: oneOf(row) }),
    },
  ],
  bulk: [
    {
      key: 'upgrade',
      label: 'device:action.upgrade',
      icon: IconPackageImport,
      functionId: functions.upgradeCreate,
      onAll: true,
      run: upgrade,
    },
    {
      key: 'reboot',
      label: 'command:name.reboot',
      icon: IconPower,
      functionId: functions.deviceReboot,
      excluded: (row) => (row.online ? null : 'device:reason.offline'),
      run: async (eligible, selection) => {
        if (await rebootMany(eligible)) selection.clear()
      },
    },
    {
      key: 'move',
      label: 'unusual:move.verb',
      icon: IconFolderSymlink,
      functionId: functions.deviceMove,
      onAll: true,
      run: (eligible, selection) => openDeviceDialog({ kind: 'move', many: manyOf(eligible, selection) }),
    },
    {
      key: 'delete',
      label: 'unusual:delete.verb',
      icon: IconTrash,
      functionId: functions.deviceDelete,
      onAll: true,
      run: (eligible, selection) => openDeviceDialog({ kind: 'delete', many: manyOf(eligible, selection) }),
    },
  ],
  Actions: DeviceListActions,
  empty: (context) => <FirstDevice onDone={context.reload} />,
})
