import {
  IconArrowsExchange,
  IconEdit,
  IconFolderSymlink,
  IconMapPin,
  IconPackageImport,
  IconPower,
  IconReport,
  IconTrash,
} from '@tabler/icons-react'
import { useQueryState } from 'nuqs'
import { deviceRebootPermission, reboot } from '#schema/device/commands/power'
import { exportDevices, getDeviceList } from '#schema/device/device'
import { deviceMovePermission } from '#schema/device/device-move'
import { deviceNeeds } from '#schema/device/device-need'
import {
  deviceDetailPermission,
  deviceEditPermission,
  deviceExportPermission,
  deviceListScreen,
} from '#schema/device/device-pages'
import { deviceStates } from '#schema/device/device-state'
import { deviceSwapPermission } from '#schema/device/device-swap'
import { deviceDeletePermission } from '#schema/device/unusual'
import { groupListPermission } from '#schema/group/group-pages'
import type { Key, Word } from '#schema/kit/words.gen'
import { packageListPermission } from '#schema/task/package'
import { upgradeCreatePermission } from '#schema/task/task-pages'
import { commandsToMany, startCommand } from '../command/commands.ts'
import { type ManyDevices, oneOf } from '../device/chosen-devices.ts'
import { deviceColumns } from '../device/device-columns.tsx'
import { openDeviceDialog } from '../device/device-dialogs.tsx'
import { DeviceListActions, FirstDevice } from '../device/device-list-actions.tsx'
import {
  type DeviceRow,
  detailLink,
  detailPath,
  useFacet,
  useGroupOptions,
} from '../device/device-options.ts'
import { useSimOptions } from '../device/sim-state.ts'
import { GroupTree } from '../group/group-tree.tsx'
import { t } from '../kit/i18n.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { BulkAction, Filter, Selection } from '../kit/list/list-types.ts'
import { goTo } from '../kit/navigation.ts'

export const words: readonly Word[] = [
  'device',
  'device-state',
  'severity',
  'command',
  'command-many',
  'task',
  'device-map',
  'unusual',
  'group',
  'rollout',
]

const filters: readonly Filter[] = [
  {
    key: 'state',
    label: 'device:filter.state',
    width: 118,
    useOptions: () => deviceStates.map((value) => ({ value, label: t(`device-state:${value}`) })),
  },
  {
    // Links and views saved before there were states choose by connection: shown while they do.
    key: 'online',
    label: 'device:filter.online',
    width: 104,
    when: (value) => value !== '',
    useOptions: () => [
      { value: 'online', label: t('kit:tone.online') },
      { value: 'offline', label: t('kit:tone.offline') },
    ],
  },
  {
    key: 'need',
    label: 'device:filter.need',
    width: 160,
    useOptions: () => deviceNeeds.map((value) => ({ value, label: t(`device:need.${value}`) })),
  },
  // Selected in the tree beside the list.
  { key: 'groupId', label: 'device:filter.group', useOptions: useGroupOptions, when: () => false },
  // Drawn on the map: shown only so that it is seen and can be cleared.
  {
    key: 'region',
    label: 'device:filter.region',
    width: 168,
    useOptions: useDrawnRegion,
    when: () => new URLSearchParams(location.search).has('region'),
  },
  { key: 'model', label: 'device:filter.model', width: 118, useOptions: () => useFacet('models') },
  { key: 'firmware', label: 'device:filter.firmware', width: 128, useOptions: () => useFacet('firmwares') },
  { key: 'sim', label: 'device:column.simState', width: 116, useOptions: useSimOptions },
]

function useDrawnRegion() {
  const [region] = useQueryState('region')
  return region ? [{ value: region, label: t('device:filter.regionDrawn') }] : []
}

/** The upgrade page reads the devices, or the filter that selects them, from its URL. */
function upgrade(eligible: readonly DeviceRow[], selection: Selection<DeviceRow>) {
  const query = new URLSearchParams({ new: '1' })
  if (selection.all) query.set('filter', JSON.stringify(selection.filter))
  else query.set('dids', eligible.map(({ deviceId }) => deviceId).join(','))
  goTo(`/task/upgrade?${query}`)
}

function manyOf(
  eligible: readonly DeviceRow[],
  { all, count, filter, preview, clear }: Selection<DeviceRow>,
): ManyDevices {
  const [only] = eligible
  return {
    name: !all && eligible.length === 1 ? (only?.deviceName ?? null) : null,
    count: all ? count : eligible.length,
    selection: all ? { filter } : { dids: eligible.map(({ deviceId }) => deviceId) },
    preview,
    after: clear,
  }
}

export const Page = listPage({
  screen: deviceListScreen,
  call: getDeviceList,
  rowKey: 'deviceId',
  columns: deviceColumns,
  filters,
  searchPlaceholder: 'device:searchPlaceholder',
  refreshS: 10,
  exportCall: exportDevices,
  exportPermission: deviceExportPermission,
  exportName: 'devices',
  Side: (side) => <GroupTree {...side} groupFilter="groupId" />,
  rowLink: detailLink,
  rowActions: (row) => [
    {
      key: 'detail',
      label: t('device:action.detail'),
      icon: IconReport,
      permission: deviceDetailPermission,
      run: () => goTo(detailPath(row)),
    },
    {
      key: 'reboot',
      label: t('command:name.reboot'),
      icon: IconPower,
      permission: deviceRebootPermission,
      reason: row.online ? null : t('device:reason.offline'),
      run: () => void startCommand(row, reboot.name),
    },
    {
      key: 'upgrade',
      label: t('device:action.upgrade'),
      icon: IconPackageImport,
      permission: [upgradeCreatePermission, packageListPermission],
      run: () => goTo(`/task/upgrade?new=1&dids=${row.deviceId}`),
    },
    {
      key: 'edit',
      label: t('unusual:edit'),
      icon: IconEdit,
      permission: deviceEditPermission,
      run: () => openDeviceDialog({ kind: 'edit', device: row }),
    },
    {
      key: 'place',
      label: t('device-map:place.verb'),
      icon: IconMapPin,
      permission: deviceEditPermission,
      run: () => openDeviceDialog({ kind: 'place', device: row }),
    },
    {
      key: 'move',
      label: t('unusual:move.verb'),
      icon: IconFolderSymlink,
      permission: [deviceMovePermission, groupListPermission],
      run: () => openDeviceDialog({ kind: 'move', many: oneOf(row) }),
    },
    {
      key: 'swap',
      label: t('unusual:swap.verb'),
      icon: IconArrowsExchange,
      permission: deviceSwapPermission,
      run: () => openDeviceDialog({ kind: 'swap', device: row }),
    },
    {
      key: 'delete',
      label: t('unusual:delete.verb'),
      icon: IconTrash,
      permission: deviceDeletePermission,
      danger: true,
      run: () => openDeviceDialog({ kind: 'delete', many: oneOf(row) }),
    },
  ],
  bulk: [
    {
      key: 'upgrade',
      label: 'device:action.upgrade',
      icon: IconPackageImport,
      permission: [upgradeCreatePermission, packageListPermission],
      onAll: true,
      run: upgrade,
    },
    ...commandsToMany.map(
      ({ name, Icon, permission }): BulkAction<DeviceRow> => ({
        key: name,
        // A test checks that each command has its name in every language.
        label: `command:name.${name}` as Key,
        icon: Icon,
        permission,
        excluded: (row) => (row.online ? null : 'device:reason.offline'),
        onAll: true,
        run: (eligible, selection) =>
          openDeviceDialog({ kind: 'command', many: manyOf(eligible, selection), command: name }),
      }),
    ),
    {
      key: 'move',
      label: 'unusual:move.verb',
      icon: IconFolderSymlink,
      permission: [deviceMovePermission, groupListPermission],
      onAll: true,
      run: (eligible, selection) => openDeviceDialog({ kind: 'move', many: manyOf(eligible, selection) }),
    },
    {
      key: 'delete',
      label: 'unusual:delete.verb',
      icon: IconTrash,
      permission: deviceDeletePermission,
      danger: true,
      onAll: true,
      run: (eligible, selection) => openDeviceDialog({ kind: 'delete', many: manyOf(eligible, selection) }),
    },
  ],
  Actions: (context) => <DeviceListActions {...context} inHeader />,
  empty: (context) => <FirstDevice onDone={context.reload} />,
})
