/** The drawers over the list of n2n servers: the fields of one, its groups, and the token shown once. */
import { SegmentedControl, Stack } from '@mantine/core'
import { IconLink, IconLinkOff } from '@tabler/icons-react'
import { useState } from 'react'
import { type GroupRow, queryGroupKeyword } from '#schema/group/group'
import { listN2nServer, updateGroupInfo } from '#schema/group/n2n-server'
import { request } from '../kit/api.ts'
import { Drawer } from '../kit/dialog.tsx'
import type { Field } from '../kit/form/form-model.ts'
import { CopyField, SecretOnce } from '../kit/form/secret-once.tsx'
import { t } from '../kit/i18n.ts'
import type { BulkAction, Column, Row } from '../kit/list/list-types.ts'
import { ListView } from '../kit/list/list-view.tsx'
import { Mono } from '../kit/mono.tsx'
import { queryClient, reportError } from '../kit/query.ts'
import { toast } from '../kit/toast.tsx'
import { fetchScript } from './fetch-script.ts'
import { groupReads } from './group-open.ts'

export type ServerRow = Row<typeof listN2nServer>
export type Fetching = { id: number; token: string; url: string }
type Shown = { opened: boolean; onClose: () => void }

export const serverFields: readonly Field[] = [
  { name: 'name', required: true },
  { name: 'address', required: true, hint: 'n2n-server:hint.address' },
  {
    name: 'port',
    required: true,
    hint: 'n2n-server:hint.port',
  },
  {
    name: 'version',
    required: true,
    hint: 'n2n-server:hint.version',
  },
  {
    name: 'managementPort',
    hint: 'n2n-server:hint.managementPort',
  },
  {
    name: 'managementAddress',
    hint: 'n2n-server:hint.managementAddress',
    when: (values) => values['managementPort'] !== '',
  },
]

export function ServerToken({ made, onClose }: { made: Fetching | null; onClose: () => void }) {
  return (
    <SecretOnce opened={made !== null} onClose={onClose} title={t('n2n-server:token.title')}>
      <CopyField label={t('n2n-server:token.url')} value={made?.url ?? ''} />
      <CopyField label={t('n2n-server:token.token')} value={made?.token ?? ''} />
      <CopyField block label={t('n2n-server:token.script')} value={made ? fetchScript(made) : ''} />
    </SecretOnce>
  )
}

const columns: readonly Column<GroupRow>[] = [
  { key: 'groupName', title: 'group:column.groupName', width: 150, card: 'title' },
  { key: 'customerName', title: 'group:column.customerName', width: 130 },
  { key: 'name', title: 'group:column.name', width: 150, render: (row) => <Mono value={row.name} /> },
  {
    key: 'superlink',
    card: 'wide',
    title: 'group:column.superlink',
    width: 180,
    render: (row) => <Mono value={row.superlink} />,
  },
]
const views = ['served', 'all'] as const

/** The groups of a server, and all others that can be assigned to it. */
export function ServerGroups({ row, opened, onClose }: Shown & { row: ServerRow }) {
  const [view, setView] = useState<(typeof views)[number]>(row.groupTotal > 0 ? 'served' : 'all')
  const assign = async (groups: readonly GroupRow[], serverId: number, clear: () => void) => {
    try {
      const { count } = await request(updateGroupInfo, {
        n2nInfoIds: groups.map(({ gid }) => gid),
        serverId,
        ...(serverId === 0 ? {} : { port: row.port }),
      })
      clear()
      for (const { name } of [listN2nServer, ...groupReads])
        void queryClient.invalidateQueries({ queryKey: [name] })
      void toast(
        'success',
        t(serverId === 0 ? 'n2n-server:groups.takenOff' : 'n2n-server:groups.assigned', { count }),
      )
    } catch (error) {
      reportError(error)
    }
  }
  const action: BulkAction<GroupRow> =
    view === 'served'
      ? {
          key: 'takeOff',
          label: 'n2n-server:groups.takeOff',
          icon: IconLinkOff,
          run: (eligible, selection) => assign(eligible, 0, selection.clear),
        }
      : {
          key: 'assign',
          label: 'n2n-server:groups.assign',
          icon: IconLink,
          excluded: (group) =>
            group.groupServiceDistribution === row.id ? 'n2n-server:groups.isHere' : null,
          run: (eligible, selection) => assign(eligible, row.id, selection.clear),
        }
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      size={760}
      title={t('n2n-server:groups.title', { name: row.name })}
    >
      <Stack gap="sm">
        <SegmentedControl
          aria-label={t('n2n-server:groups.which')}
          value={view}
          onChange={(next) => setView(views.find((one) => one === next) ?? 'all')}
          data={views.map((value) => ({ value, label: t(`n2n-server:groups.${value}`) }))}
        />
        <ListView
          key={view}
          call={queryGroupKeyword}
          rowKey="gid"
          // What was searched for another server is not meant here.
          prefix={`groups${row.id}`}
          columns={columns}
          body={view === 'served' ? { groupServiceDistribution: row.id } : {}}
          searchPlaceholder="group:search"
          bulk={[action]}
        />
      </Stack>
    </Drawer>
  )
}
