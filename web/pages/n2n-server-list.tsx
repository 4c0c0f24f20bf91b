import { Text, Tooltip } from '@mantine/core'
import { IconBinaryTree2, IconKey, IconTrash } from '@tabler/icons-react'
import {
  addN2nServer,
  deleteN2nServer,
  listN2nServer,
  modifyN2nServer,
  N2N_MANAGEMENT_PORT,
  n2nServerEditPermission,
  n2nServerScreen,
  rotateN2nToken,
} from '#schema/group/n2n-server'
import type { Word } from '#schema/kit/words.gen'
import {
  type Fetching,
  ServerGroups,
  type ServerRow,
  ServerToken,
  serverFields,
} from '../group/n2n-server-drawers.tsx'
import { request } from '../kit/api.ts'
import { ask } from '../kit/confirm.tsx'
import { Empty } from '../kit/empty.tsx'
import { moment, number, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listEditor } from '../kit/list/list-editor.tsx'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { opener } from '../kit/opener.ts'
import { reportError } from '../kit/query.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'

export const words: readonly Word[] = ['n2n-server', 'group']

/** Unknown is neither up nor down: not monitored, or not polled yet. */
function StateChip({ row }: { row: ServerRow }) {
  if (row.up === null)
    return (
      <StatusChip
        tone="offline"
        label={t('n2n-server:state.unknown')}
        hint={t(row.managementPort === null ? 'n2n-server:state.notWatched' : 'n2n-server:state.notYet')}
      />
    )
  if (row.up)
    return (
      <StatusChip
        tone="online"
        label={t('n2n-server:state.up')}
        hint={row.startedAt ? t('n2n-server:state.since', { at: moment(row.startedAt) }) : undefined}
      />
    )
  return <StatusChip tone="critical" label={t('n2n-server:state.down')} hint={row.checkError ?? undefined} />
}

const columns: readonly Column<ServerRow>[] = [
  {
    key: 'up',
    title: 'n2n-server:field.state',
    width: 110,
    pinned: 'left',
    card: 'beside',
    render: (row) => <StateChip row={row} />,
    text: (row) => (row.up === null ? '' : row.up ? 'up' : 'down'),
  },
  {
    key: 'name',
    title: 'n2n-server:field.name',
    width: 150,
    pinned: 'left',
    card: 'title',
    render: (row) => (
      <Text span fw={600} truncate>
        {row.name}
      </Text>
    ),
  },
  {
    key: 'address',
    title: 'n2n-server:field.address',
    width: 190,
    card: 'wide',
    render: (row) => <Mono value={row.address} />,
  },
  { key: 'port', title: 'n2n-server:field.port', width: 80, numeric: true, render: (row) => row.port },
  { key: 'version', title: 'n2n-server:field.version', width: 90, numeric: true },
  {
    key: 'edges',
    title: 'n2n-server:field.edges',
    width: 100,
    numeric: true,
    render: (row) => (row.edges === null ? UNKNOWN : number(row.edges)),
  },
  {
    key: 'groupTotal',
    title: 'n2n-server:field.groupTotal',
    width: 90,
    numeric: true,
    render: (row) => number(row.groupTotal),
  },
  {
    key: 'deviceTotal',
    title: 'n2n-server:field.deviceTotal',
    width: 90,
    numeric: true,
    render: (row) => number(row.deviceTotal),
  },
  {
    key: 'lastSeenAt',
    title: 'n2n-server:field.lastSeenAt',
    width: 140,
    render: (row) => <When at={row.lastSeenAt} />,
  },
  {
    key: 'fetchedAt',
    title: 'n2n-server:field.fetchedAt',
    width: 130,
    render: (row) =>
      row.fetchedAt ? (
        <When at={row.fetchedAt} />
      ) : (
        <Tooltip label={t('n2n-server:hint.fetched')}>
          <Text span>{UNKNOWN}</Text>
        </Tooltip>
      ),
  },
  {
    key: 'createTime',
    title: 'n2n-server:field.createTime',
    width: 160,
    render: (row) => <When at={row.createTime} absolute />,
  },
]

type Open = { kind: 'groups'; row: ServerRow } | { kind: 'token'; made: Fetching }
const drawer = opener<Open>()

function Drawers() {
  const now = drawer.useOpened()
  if (!now) return null
  const { what: open, shown, turn } = now
  return open.kind === 'groups' ? (
    <ServerGroups key={turn} opened={shown} onClose={drawer.close} row={open.row} />
  ) : (
    <ServerToken made={shown ? open.made : null} onClose={drawer.close} />
  )
}

const editor = listEditor({
  list: listN2nServer,
  fields: () => serverFields,
  success: 'n2n-server:edit.done',
  create: {
    call: addN2nServer,
    title: 'n2n-server:create.title',
    permission: n2nServerEditPermission,
    initial: { version: 3, managementPort: N2N_MANAGEMENT_PORT },
    onDone: (made) => drawer.show({ kind: 'token', made }),
  },
  edit: {
    call: modifyN2nServer,
    title: ({ name }) => t('n2n-server:edit.title', { name }),
    permission: n2nServerEditPermission,
    fixed: ({ id }) => ({ serverId: id }),
    values: ({ name, address, port, version, managementPort, managementAddress }) => ({
      name,
      address,
      port,
      version,
      managementPort: managementPort ?? '',
      managementAddress: managementAddress ?? '',
    }),
  },
})

async function rotate(row: ServerRow) {
  const sure = await ask({
    title: t('n2n-server:rotate.title', { name: row.name }),
    text: t('n2n-server:rotate.text'),
    verb: t('n2n-server:rotate.verb'),
    danger: true,
  })
  if (!sure) return
  try {
    drawer.show({ kind: 'token', made: await request(rotateN2nToken, { serverId: row.id }) })
  } catch (error) {
    reportError(error)
  }
}

export const Page = listPage({
  screen: n2nServerScreen,
  call: listN2nServer,
  rowKey: 'id',
  columns,
  searchPlaceholder: 'n2n-server:search',
  exportName: 'n2n-servers',
  refreshS: 20,
  rowActions: (row) => [
    editor.edit(row),
    {
      key: 'groups',
      label: t('n2n-server:groups.action'),
      icon: IconBinaryTree2,
      permission: n2nServerEditPermission,
      run: () => drawer.show({ kind: 'groups', row }),
    },
    {
      key: 'rotate',
      label: t('n2n-server:rotate.verb'),
      icon: IconKey,
      permission: n2nServerEditPermission,
      run: () => void rotate(row),
    },
    {
      key: 'delete',
      label: t('kit:delete'),
      icon: IconTrash,
      permission: n2nServerEditPermission,
      reason:
        row.groupTotal > 0
          ? t('n2n-server:remove.inUse', { groups: row.groupTotal, devices: row.deviceTotal })
          : null,
      danger: true,
      run: () =>
        void deleteRow({
          call: deleteN2nServer,
          body: { serverId: row.id },
          title: t('n2n-server:remove.title', { name: row.name }),
          text: t('n2n-server:remove.text'),
          done: t('n2n-server:remove.done', { name: row.name }),
          refreshes: [listN2nServer],
        }),
    },
  ],
  Actions: (context) => (
    <>
      <editor.Actions {...context} />
      <Drawers />
    </>
  ),
  empty: () => (
    <Empty
      title={t('n2n-server:first.title')}
      text={t('n2n-server:first.text')}
      action={<editor.CreateButton />}
    />
  ),
})
