import { Badge } from '@mantine/core'
import { IconCopy, IconEye, IconListSearch, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { Suspense, useState, useSyncExternalStore } from 'react'
import type { Word } from '#schema/kit/words.gen'
import {
  deleteRole,
  getRoleList,
  getRoleOptions,
  roleEditPermission,
  roleScreen,
  viewAsPermission,
} from '#schema/people/role'
import { ActionButton } from '../kit/action-button.tsx'
import { lazy } from '../kit/chunk.ts'
import { number, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter, RowAction } from '../kit/list/list-types.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { isPlatformUser, useCustomerOptions } from '../people/people-options.ts'
import { type RoleRow, type RoleTask, roleAbout, roleName } from '../people/role-row.ts'

export const words: readonly Word[] = ['role', 'user']

const kindOf = (row: RoleRow) =>
  row.template ? 'template' : row.customerId === null ? 'platform' : 'customer'
const scopeText = (row: RoleRow) => row.customerName ?? t(`role:kind.${kindOf(row)}`)
const grantsText = (row: RoleRow) =>
  t('role:grants', { pages: number(row.menuIds.length), functions: number(row.functionIds.length) })

const columns: readonly Column<RoleRow>[] = [
  {
    key: 'name',
    title: 'role:field.name',
    width: 190,
    pinned: 'left',
    card: 'title',
    render: roleName,
    text: roleName,
  },
  {
    key: 'description',
    title: 'role:field.description',
    width: 260,
    prose: true,
    render: (row) => roleAbout(row) || UNKNOWN,
    text: roleAbout,
  },
  {
    key: 'scope',
    title: 'role:field.scope',
    width: 150,
    card: 'beside',
    render: (row) =>
      row.template ? (
        <Badge variant="light" color="gray" tt="none" fz={12}>
          {scopeText(row)}
        </Badge>
      ) : (
        scopeText(row)
      ),
    text: scopeText,
  },
  { key: 'grants', title: 'role:field.grants', width: 190, render: grantsText, text: grantsText },
  {
    key: 'userCount',
    title: 'role:field.userCount',
    width: 85,
    numeric: true,
    render: (row) => number(row.userCount),
  },
  {
    key: 'status',
    title: 'role:field.status',
    width: 100,
    render: () => <StatusChip tone="online" label={t('role:normal')} />,
    text: () => t('role:normal'),
  },
  { key: 'creator', title: 'role:field.creator', width: 130 },
  {
    key: 'createdAt',
    title: 'role:field.createdAt',
    width: 165,
    render: (row) => <When at={row.createdAt} absolute />,
  },
]

const filters: readonly Filter[] = [
  {
    key: 'kind',
    label: 'role:field.kind',
    useOptions: () =>
      (['template', 'platform', 'customer'] as const).map((value) => ({
        value,
        label: t(`role:kind.${value}`),
      })),
  },
  { key: 'customerId', label: 'role:field.customer', useOptions: useCustomerOptions, when: isPlatformUser },
]

type Open = { task: RoleTask; shown: boolean; turn: number; preview: boolean }
let open: Open | null = null
const watchers = new Set<() => void>()
function put(next: Open | null) {
  open = next
  for (const watcher of watchers) watcher()
}
const show = (task: RoleTask, preview = false) =>
  put({ task, shown: true, turn: (open?.turn ?? 0) + 1, preview })

// The tree is loaded with the first role that is opened.
const RoleEditor = lazy(() =>
  import('../people/role-editor.tsx').then((module) => ({ default: module.RoleEditor })),
)

const RolePreview = lazy(() =>
  import('../people/role-preview.tsx').then((module) => ({ default: module.RolePreview })),
)

function Opened() {
  const now = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => open,
  )
  if (!now) return null
  // Closing is animated: the drawer disappears before its content.
  const close = () => put({ ...now, shown: false })
  const { source } = now.task
  if (now.preview && source)
    return (
      <Suspense>
        <RolePreview
          key={now.turn}
          opened={now.shown}
          onClose={close}
          name={roleName(source)}
          grants={source}
          platform={source.customerId === null}
        />
      </Suspense>
    )
  return (
    <Suspense>
      <RoleEditor key={now.turn} task={now.task} opened={now.shown} onClose={close} />
    </Suspense>
  )
}

function Actions() {
  // Reopening the page starts with everything closed.
  useState(() => put(null))
  return (
    <>
      <ActionButton
        rank="primary"
        icon={IconPlus}
        label={t('role:create')}
        permission={roleEditPermission}
        onPress={() => show({ mode: 'create', source: null })}
      />
      <Opened />
    </>
  )
}

const whyLocked = (row: RoleRow) =>
  row.template ? t('role:templateLocked') : row.within ? null : t('role:beyond')

function remove(row: RoleRow) {
  void deleteRow({
    call: deleteRole,
    body: { roleId: row.id },
    title: t('role:remove.title', { name: row.name }),
    text: t('role:remove.text'),
    done: t('role:remove.done', { name: row.name }),
    refreshes: [getRoleList, getRoleOptions],
  })
}

const rowActions = (row: RoleRow): readonly RowAction[] => [
  {
    key: 'edit',
    label: t('kit:edit'),
    icon: IconPencil,
    permission: roleEditPermission,
    reason: whyLocked(row),
    run: () => show({ mode: 'edit', source: row }),
  },
  {
    key: 'duplicate',
    label: t('role:duplicate'),
    icon: IconCopy,
    permission: roleEditPermission,
    reason: row.within ? null : t('role:beyond'),
    run: () => show({ mode: 'create', source: row }),
  },
  {
    key: 'look',
    label: t('role:lookVerb'),
    icon: IconListSearch,
    run: () => show({ mode: 'look', source: row }),
  },
  {
    key: 'viewAs',
    label: t('role:viewAs.verb'),
    icon: IconEye,
    permission: viewAsPermission,
    run: () => show({ mode: 'look', source: row }, true),
  },
  {
    key: 'remove',
    label: t('kit:delete'),
    icon: IconTrash,
    permission: roleEditPermission,
    danger: true,
    reason: whyLocked(row) ?? (row.userCount > 0 ? t('role:inUse', { count: row.userCount }) : null),
    run: () => remove(row),
  },
]

export const Page = listPage({
  screen: roleScreen,
  call: getRoleList,
  rowKey: 'id',
  columns,
  filters,
  searchPlaceholder: 'role:searchPlaceholder',
  exportName: 'roles',
  rowActions,
  Actions,
})
