import { Group, Text, Tooltip } from '@mantine/core'
import { IconCopyOff, IconPackageImport, IconPower, IconReport } from '@tabler/icons-react'
import { deviceListScreen, exportDevices, getDeviceList } from '#schema/device'
import { functions } from '#schema/functions'
import { bytes, number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { listPage } from '../kit/list-page.tsx'
import type { Column, Filter, Selection } from '../kit/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { goTo } from '../kit/navigation.ts'
import { When } from '../kit/time.tsx'
import type { Word } from '../kit/words.ts'
import { rebootMany } from '../parts/device-commands.ts'
import { DeviceListActions, FirstDevice } from '../parts/device-list-actions.tsx'
import { type DeviceRow, detailPath, useFacet, useGroupOptions } from '../parts/device-options.ts'
import { deviceChip } from '../parts/device-status.tsx'
import { presenceStrip } from '../parts/presence-strip.tsx'

export const words: readonly Word[] = ['device', 'command']

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
    width: 132,
    render: (row) => <Mono value={row.deviceSn} />,
  },
  { key: 'presence', title: 'device:column.presence', width: 116, render: presenceStrip, csv: false },
  { key: 'groupName', title: 'device:column.groupName', width: 88 },
  { key: 'model', title: 'device:column.model', width: 84 },
  { key: 'firmware', title: 'device:column.firmware', width: 104 },
  { key: 'ip', title: 'device:column.ip', width: 112, render: (row) => <Mono value={row.ip} /> },
  {
    key: 'signalDbm',
    title: 'device:column.signalDbm',
    width: 120,
    numeric: true,
    render: (row) => number(row.signalDbm),
  },
  { key: 'networkMode', title: 'device:column.networkMode', width: 100, extra: true },
  {
    key: 'trafficTodayBytes',
    title: 'device:column.trafficTodayBytes',
    width: 124,
    numeric: true,
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
  ],
  Actions: DeviceListActions,
  empty: (context) => <FirstDevice onDone={context.reload} />,
})
