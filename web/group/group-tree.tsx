/** The groups beside a list: one click filters the list by that group. Only visible rows are rendered. */

import { ActionIcon, Button, CloseButton, TextInput, Tooltip } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import {
  IconBinaryTree2,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconSearch,
} from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { getGroupTree } from '#schema/group/group'
import { groupListPermission } from '#schema/group/group-pages'
import { Drawer } from '../kit/dialog.tsx'
import { type Read, ReadBar } from '../kit/error-bar.tsx'
import { t } from '../kit/i18n.ts'
import type { SideProps } from '../kit/list/list-types.ts'
import { useCall } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import classes from './group-tree.module.css'
import {
  buildTree,
  customerKey,
  type GroupNode,
  groupKey,
  matching,
  pathTo,
  rowsOf,
} from './group-tree-model.ts'
import { GroupTreeRows } from './group-tree-rows.tsx'

const REFRESH_S = 30
const STALE_MS = 10_000
/** Up to this number, groups are initially expanded. */
const OPEN_AT_FIRST = 40

type Props = SideProps & {
  /**
   * The list's filter for a group, and the one for a customer; without the latter customers only expand and collapse.
   */
  groupFilter: string
  customerFilter?: string
}

export function GroupTree({ filters, choose, narrow, groupFilter, customerFilter }: Props) {
  const [collapsed, setCollapsed] = useLocalStorage({
    key: 'group-tree-collapsed',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const [sheet, setSheet] = useState(false)
  const allowed = can(groupListPermission)
  const query = useCall(
    getGroupTree,
    {},
    { enabled: allowed, refreshS: REFRESH_S, staleMs: STALE_MS, keepPrevious: true },
  )
  const nodes = useMemo(() => (query.data ? buildTree(query.data) : []), [query.data])
  const group = filters[groupFilter]
  const customer = customerFilter ? filters[customerFilter] : ''
  const chosen = group ? groupKey(group) : customer ? customerKey(customer) : ''
  const chosenName = pathTo(nodes, chosen).at(-1)?.name ?? t('group:tree.all')

  const pick = (node: GroupNode | null) => {
    const next: Record<string, string> = { [groupFilter]: node?.gid ? String(node.gid) : '' }
    if (customerFilter) next[customerFilter] = node && node.gid === null ? String(node.cid) : ''
    choose(next)
    setSheet(false)
  }
  const panel = (
    <Panel
      nodes={nodes}
      count={query.data?.list.length ?? 0}
      chosen={chosen}
      onPick={pick}
      pickCustomers={customerFilter !== undefined}
      loading={query.isPending}
      read={query}
      onCollapse={narrow ? undefined : () => setCollapsed(true)}
    />
  )
  if (!allowed) return null
  if (narrow)
    return (
      <>
        <Button
          fullWidth
          justify="flex-start"
          variant={chosen ? 'light' : 'default'}
          leftSection={<IconBinaryTree2 size={16} stroke={1.5} />}
          onClick={() => setSheet(true)}
        >
          {t('group:tree.button', { name: chosenName })}
        </Button>
        <Drawer
          opened={sheet}
          onClose={() => setSheet(false)}
          position="bottom"
          size="75%"
          title={t('group:tree.title')}
        >
          {panel}
        </Drawer>
      </>
    )
  if (collapsed)
    return (
      <div className={classes['rail']}>
        <Tooltip label={t('group:tree.expandPanel', { name: chosenName })} position="right">
          <ActionIcon
            variant={chosen ? 'light' : 'subtle'}
            color={chosen ? undefined : 'gray'}
            aria-label={t('group:tree.expandPanel', { name: chosenName })}
            onClick={() => setCollapsed(false)}
          >
            <IconLayoutSidebarLeftExpand size={18} stroke={1.5} />
          </ActionIcon>
        </Tooltip>
      </div>
    )
  return <aside className={classes['side']}>{panel}</aside>
}

type PanelProps = {
  nodes: readonly GroupNode[]
  count: number
  chosen: string
  pickCustomers: boolean
  loading: boolean
  read: Read
  onPick: (node: GroupNode | null) => void
  onCollapse: (() => void) | undefined
}

function Panel({ nodes, count, chosen, pickCustomers, onPick, ...props }: PanelProps) {
  const [search, setSearch] = useState('')
  const [toggled, setToggled] = useLocalStorage<string[]>({
    key: 'group-tree-toggled',
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  // With few groups all are expanded, with many collapsed; what the user toggled is remembered.
  const isOpen = (node: GroupNode) => search !== '' || count <= OPEN_AT_FIRST !== toggled.includes(node.key)
  const toggle = (node: GroupNode) =>
    setToggled(
      toggled.includes(node.key) ? toggled.filter((key) => key !== node.key) : [...toggled, node.key],
    )
  const way = new Set(
    pathTo(nodes, chosen)
      .slice(0, -1)
      .map(({ key }) => key),
  )
  const rows = rowsOf(matching(nodes, search), (node) => isOpen(node) || way.has(node.key))
  const total = nodes.reduce((sum, node) => sum + node.total, 0)
  const online = nodes.reduce((sum, node) => sum + node.online, 0)
  return (
    <div className={classes['panel']}>
      <div className={classes['head']}>
        <TextInput
          type="search"
          style={{ flex: 1 }}
          aria-label={t('group:tree.search')}
          placeholder={t('group:tree.search')}
          leftSection={<IconSearch size={16} stroke={1.5} />}
          rightSection={
            search === '' ? null : (
              <CloseButton size="sm" aria-label={t('list:clearSearch')} onClick={() => setSearch('')} />
            )
          }
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {props.onCollapse ? (
          <Tooltip label={t('group:tree.collapsePanel')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('group:tree.collapsePanel')}
              onClick={props.onCollapse}
            >
              <IconLayoutSidebarLeftCollapse size={18} stroke={1.5} />
            </ActionIcon>
          </Tooltip>
        ) : null}
      </div>
      <ReadBar read={props.read} />
      <GroupTreeRows
        rows={rows}
        chosen={chosen}
        total={total}
        online={online}
        loading={props.loading}
        onPick={onPick}
        onToggle={toggle}
        canPick={(node) => node.gid !== null || pickCustomers}
      />
    </div>
  )
}
