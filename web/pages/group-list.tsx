import { Badge, Group, Text } from '@mantine/core'
import {
  IconArrowsMove,
  IconFolderPlus,
  IconKey,
  IconPencil,
  IconPlugConnected,
  IconPlus,
  IconRouter,
  IconTrash,
} from '@tabler/icons-react'
import { deviceListPermission, deviceListScreen } from '#schema/device/device-pages'
import { enrolmentKeysPermission } from '#schema/device/enrol'
import { deleteGroup, GROUP_LEVELS, type GroupRow, queryGroupKeyword } from '#schema/group/group'
import {
  groupCreatePermission,
  groupDeletePermission,
  groupEditPermission,
  groupMovePermission,
  groupScreen,
} from '#schema/group/group-pages'
import type { Word } from '#schema/kit/words.gen'
import { GroupDrawers } from '../group/group-drawers.tsx'
import { groupDrawer, groupReads } from '../group/group-open.ts'
import { GroupTree } from '../group/group-tree.tsx'
import { ActionButton } from '../kit/action-button.tsx'
import { Empty } from '../kit/empty.tsx'
import { number, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { countColumn } from '../kit/list/count-column.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter, Row, RowAction } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { useNewParameter } from '../kit/new-parameter.ts'
import { ifHeld, PageLink } from '../kit/page-link.tsx'
import { can } from '../kit/session.ts'
import { When } from '../kit/time.tsx'
import { isPlatformUser } from '../people/people-options.ts'

// The members and keys drawers use texts about devices.
export const words: readonly Word[] = ['group', 'device', 'device-state', 'severity']

const loginsText = (row: GroupRow) =>
  row.name === null
    ? UNKNOWN
    : t('group:loginsOf', {
        now: row.remoteLogins === null ? UNKNOWN : number(row.remoteLogins),
        max: number(row.loginNum),
      })

type ListedGroup = Row<typeof queryGroupKeyword>

const columns: readonly Column<ListedGroup>[] = [
  {
    key: 'groupName',
    title: 'group:column.groupName',
    width: 240,
    pinned: 'left',
    card: 'title',
    render: (row) => (
      <Group gap={6} wrap="nowrap">
        <Text span fw={600} truncate>
          {row.groupName}
        </Text>
        {isPlatformUser() ? (
          // Every customer has a group named Default. In narrow columns the customer's name is truncated first.
          <Text span size="xs" c="dimmed" truncate flex="0 1000 auto" miw={0}>
            {row.customerName}
          </Text>
        ) : null}
        {row.isDefault ? (
          <Badge size="sm" variant="light" flex="none">
            {t('group:default')}
          </Badge>
        ) : null}
      </Group>
    ),
  },
  {
    key: 'level',
    title: 'group:column.level',
    width: 80,
    render: (row) => t('group:level', { level: row.level }),
    text: (row) => row.level,
  },
  { key: 'parentName', title: 'group:column.parentName', width: 120, extra: true },
  {
    key: 'deviceTotal',
    title: 'group:column.devices',
    width: 132,
    numeric: true,
    // With the groups below, as in the tree beside it and in the list that it leads to.
    render: (row) => (
      <PageLink
        to={ifHeld(deviceListScreen, `${deviceListScreen.path}?groupId=${row.gid}`)}
        title={
          row.treeTotal > row.deviceTotal ? t('group:ownOf', { own: number(row.deviceTotal) }) : undefined
        }
      >
        {number(row.treeOnline)} / {number(row.treeTotal)}
      </PageLink>
    ),
    csv: false,
  },
  countColumn('treeOnline', 'group:column.devicesOnline', (row) => row.treeOnline),
  countColumn('treeTotal', 'group:column.devicesAll', (row) => row.treeTotal),
  { key: 'name', title: 'group:column.name', width: 148, render: (row) => <Mono value={row.name} /> },
  { key: 'ip', title: 'group:column.ip', width: 112, render: (row) => <Mono value={row.ip} /> },
  {
    key: 'remoteLogins',
    title: 'group:column.remoteLogins',
    width: 110,
    numeric: true,
    render: loginsText,
    text: (row) => (row.name === null ? null : row.remoteLogins),
  },
  countColumn('loginNum', 'group:field.loginNum', (row) => row.loginNum),
  {
    key: 'superlink',
    title: 'group:column.superlink',
    width: 170,
    render: (row) => <Mono value={row.superlink} />,
  },
  { key: 'customerName', title: 'group:column.customerName', width: 130, extra: true },
  { key: 'ownerName', title: 'group:column.ownerName', width: 110, extra: true },
  { key: 'creator', title: 'group:column.creator', width: 110, extra: true },
  {
    key: 'updateTime',
    title: 'group:column.updateTime',
    width: 150,
    extra: true,
    render: (row) => <When at={row.updateTime} />,
  },
]

const filters: readonly Filter[] = [
  {
    key: 'groLevel',
    label: 'group:column.level',
    width: 120,
    useOptions: () =>
      Array.from({ length: GROUP_LEVELS }, (_, i) => ({
        value: String(i + 1),
        label: t('group:level', { level: i + 1 }),
      })),
  },
  // Selected in the tree.
  { key: 'pid', label: 'group:column.groupName', useOptions: () => [], when: () => false },
  { key: 'cid', label: 'group:column.customerName', useOptions: () => [], when: () => false },
]

/** [§5] The server decides; known reasons are shown before the click. */
function whyNotDeleted(row: GroupRow): string | null {
  if (row.isDefault) return t('group:remove.isDefault')
  if (row.deviceTotal > 0) return t('group:remove.hasDevices', { count: row.deviceTotal })
  if (row.childTotal > 0) return t('group:remove.hasGroups', { count: row.childTotal })
  return null
}

const rowActions = (row: GroupRow): readonly RowAction[] => [
  {
    key: 'edit',
    label: t('kit:edit'),
    icon: IconPencil,
    permission: groupEditPermission,
    run: () => groupDrawer.show({ kind: 'edit', row }),
  },
  {
    key: 'members',
    label: t('group:action.members'),
    icon: IconRouter,
    permission: deviceListPermission,
    run: () => groupDrawer.show({ kind: 'members', row }),
  },
  {
    key: 'remote',
    label: t('group:action.remote'),
    icon: IconPlugConnected,
    run: () => groupDrawer.show({ kind: 'remote', row }),
  },
  {
    key: 'below',
    label: t('group:action.below'),
    icon: IconFolderPlus,
    permission: groupCreatePermission,
    reason: row.level >= GROUP_LEVELS ? t('group:lastLevel') : null,
    run: () => groupDrawer.show({ kind: 'create', parent: row }),
  },
  {
    key: 'move',
    label: t('group:move.verb'),
    icon: IconArrowsMove,
    permission: groupMovePermission,
    reason: row.isDefault ? t('group:move.isDefault') : null,
    run: () => groupDrawer.show({ kind: 'move', row }),
  },
  {
    key: 'keys',
    label: t('group:action.keys'),
    icon: IconKey,
    permission: enrolmentKeysPermission,
    run: () => groupDrawer.show({ kind: 'keys', row }),
  },
  {
    key: 'delete',
    label: t('kit:delete'),
    icon: IconTrash,
    permission: groupDeletePermission,
    reason: whyNotDeleted(row),
    danger: true,
    run: () =>
      void deleteRow({
        call: deleteGroup,
        body: { groupId: row.gid },
        title: t('group:remove.title', { name: row.groupName }),
        text: t('group:remove.text'),
        done: t('group:remove.done', { name: row.groupName }),
        refreshes: groupReads,
      }),
  },
]

const CreateButton = () => (
  <ActionButton
    rank="primary"
    icon={IconPlus}
    label={t('group:create.title')}
    permission={groupCreatePermission}
    onPress={() => groupDrawer.show({ kind: 'create', parent: null })}
  />
)

function Actions() {
  useNewParameter(() => {
    if (can(groupCreatePermission)) groupDrawer.show({ kind: 'create', parent: null })
  })
  return (
    <>
      <CreateButton />
      <GroupDrawers />
    </>
  )
}

export const Page = listPage({
  screen: groupScreen,
  call: queryGroupKeyword,
  rowKey: 'gid',
  columns,
  filters,
  searchPlaceholder: 'group:search',
  exportName: 'groups',
  Side: (side) => <GroupTree {...side} groupFilter="pid" customerFilter="cid" />,
  rowActions,
  Actions,
  empty: () => (
    <Empty title={t('group:first.title')} text={t('group:first.text')} action={<CreateButton />} />
  ),
})
