import { Button, SegmentedControl, Stack } from '@mantine/core'
import { IconExternalLink, IconFolderSymlink } from '@tabler/icons-react'
import { useState } from 'react'
import { getDeviceList } from '#schema/device/device'
import { deviceMovePermission, moveDevices } from '#schema/device/device-move'
import type { GroupRow } from '#schema/group/group'
import { getGroupDevices, groupQueryTypes } from '#schema/group/group-devices'
import { detailLink } from '../device/device-options.ts'
import { stateAndAlarm } from '../device/device-status.tsx'
import { request } from '../kit/api.ts'
import { Drawer } from '../kit/dialog.tsx'
import { t } from '../kit/i18n.ts'
import type { BulkAction, Column, Row } from '../kit/list/list-types.ts'
import { ListView } from '../kit/list/list-view.tsx'
import { Mono } from '../kit/mono.tsx'
import { goTo } from '../kit/navigation.ts'
import { queryClient, reportError } from '../kit/query.ts'
import { toast } from '../kit/toast.tsx'
import { groupReads } from './group-open.ts'

type Member = Row<typeof getGroupDevices>
const queryTypes = ['below', 'own', 'others'] as const

const columns: readonly Column<Member>[] = [
  { key: 'state', title: 'device:column.state', width: 160, card: 'beside', render: stateAndAlarm },
  { key: 'deviceName', title: 'device:column.deviceName', width: 150, card: 'title' },
  {
    key: 'deviceSn',
    title: 'device:column.deviceSn',
    width: 140,
    render: (row) => <Mono value={row.deviceSn} />,
  },
  { key: 'groupName', title: 'device:column.groupName', width: 110 },
]

/** Devices of a group; those of other groups can be moved in. */
export function GroupMembers({
  row,
  opened,
  onClose,
}: {
  row: GroupRow
  opened: boolean
  onClose: () => void
}) {
  const [type, setType] = useState<(typeof queryTypes)[number]>('below')
  const moveIn: BulkAction<Member> = {
    key: 'moveIn',
    label: 'group:members.moveIn',
    icon: IconFolderSymlink,
    permission: deviceMovePermission,
    run: async (eligible, selection) => {
      try {
        const { moved } = await request(moveDevices, {
          dids: eligible.map(({ deviceId }) => deviceId),
          groupId: row.gid,
        })
        selection.clear()
        for (const { name } of [getGroupDevices, getDeviceList, ...groupReads])
          void queryClient.invalidateQueries({ queryKey: [name] })
        void toast('success', t('group:members.moved', { count: moved, name: row.groupName }))
      } catch (error) {
        reportError(error)
      }
    },
  }
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      size={760}
      title={t('group:members.title', { name: row.groupName })}
    >
      <Stack gap="sm">
        <SegmentedControl
          aria-label={t('group:members.which')}
          value={type}
          onChange={(next) => setType(queryTypes.find((one) => one === next) ?? 'below')}
          data={queryTypes.map((value) => ({ value, label: t(`group:members.${value}`) }))}
        />
        <ListView
          key={type}
          call={getGroupDevices}
          rowKey="deviceId"
          // What was searched in another group is not meant here.
          prefix={`members${row.gid}`}
          columns={columns}
          body={{ gid: row.gid, queryType: groupQueryTypes[type] }}
          searchPlaceholder="group:members.search"
          rowLink={detailLink}
          bulk={type === 'others' ? [moveIn] : []}
        />
        <Button
          variant="default"
          leftSection={<IconExternalLink size={16} stroke={1.5} />}
          onClick={() => {
            onClose()
            goTo(`/device/devicelist?groupId=${row.gid}`)
          }}
        >
          {t('group:members.inList')}
        </Button>
      </Stack>
    </Drawer>
  )
}
