import { Stack, Text } from '@mantine/core'
import { IconReport, IconRestore, IconTrashX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { deviceDetailPermission } from '#schema/device/device-pages'
import {
  devicePurgePermission,
  deviceRestorePermission,
  getUnusualList,
  purgeDevicesForEver,
  restoreDevices,
  type UnusualSelection,
  unusualListScreen,
} from '#schema/device/unusual'
import type { Word } from '#schema/kit/words.gen'
import { detailLink, detailPath, ofGroups } from '../device/device-options.ts'
import { deviceReads } from '../device/device-reads.ts'
import { request } from '../kit/api.ts'
import { ask } from '../kit/confirm.tsx'
import { Empty } from '../kit/empty.tsx'
import { t } from '../kit/i18n.ts'
import { doerText } from '../kit/known-name.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Row, Selection } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { goTo } from '../kit/navigation.ts'
import { queryClient, reportError } from '../kit/query.ts'
import { When } from '../kit/time.tsx'
import { toast } from '../kit/toast.tsx'

export const words: readonly Word[] = ['unusual', 'device']

type Unusual = Row<typeof getUnusualList>

const columns: readonly Column<Unusual>[] = [
  {
    key: 'deviceName',
    title: 'device:column.deviceName',
    width: 180,
    pinned: 'left',
    card: 'title',
    render: (row) => (
      <Text span truncate display="block">
        {row.deviceName}
      </Text>
    ),
  },
  {
    key: 'deviceSn',
    title: 'device:column.deviceSn',
    width: 140,
    render: (row) => <Mono value={row.deviceSn} />,
  },
  { key: 'deletedReason', title: 'unusual:column.reason', width: 140 },
  {
    key: 'deletedAt',
    title: 'unusual:column.deletedAt',
    width: 165,
    render: (row) => <When at={row.deletedAt} absolute zone={row.timeZone} />,
  },
  {
    key: 'deletedBy',
    title: 'unusual:column.deletedBy',
    width: 110,
    render: (row) => doerText(row.deletedBy),
    text: (row) => doerText(row.deletedBy),
  },
  {
    key: 'replacedBy',
    title: 'unusual:column.replacedBy',
    width: 120,
    render: (row) => <Mono value={row.replacedBy} />,
  },
  { key: 'groupName', title: 'device:column.groupName', width: 100 },
  { key: 'model', title: 'device:column.model', width: 80 },
  { key: 'firmware', title: 'device:column.firmware', width: 110, extra: true },
  { key: 'customerName', title: 'device:column.customerName', width: 140, extra: true },
]

const renew = () => {
  for (const { name } of deviceReads) void queryClient.invalidateQueries({ queryKey: [name] })
}

async function restore(selection: UnusualSelection): Promise<boolean> {
  try {
    const { restored } = await request(restoreDevices, selection)
    void toast('success', t('unusual:restore.done', { count: restored }))
  } catch (error) {
    reportError(error)
    return false
  }
  renew()
  return true
}

/** Few devices are restored immediately; a filter is confirmed first. */
const askToRestore = ({ preview }: Selection<Unusual>) =>
  ask({ title: t('unusual:restore.verb'), text: preview, verb: t('unusual:restore.verb') })

/** Irreversible: the serial number must be typed, or the number of devices. */
async function purge(
  selection: UnusualSelection,
  count: number,
  only: Unusual | undefined,
  preview: ReactNode = null,
): Promise<boolean> {
  const sure = await ask({
    title: only
      ? t('unusual:purge.title', { name: only.deviceName })
      : t('unusual:purge.titleMany', { count }),
    text: preview ? (
      <Stack gap="sm">
        <span>{t('unusual:purge.text', { count })}</span>
        {preview}
      </Stack>
    ) : (
      t('unusual:purge.text', { count })
    ),
    verb: t('unusual:purge.verb'),
    danger: true,
    ...(only ? { typed: only.deviceSn } : { typed: String(count) }),
  })
  if (!sure) return false
  try {
    const { purged } = await request(purgeDevicesForEver, selection)
    void toast('success', t('unusual:purge.done', { count: purged }))
  } catch (error) {
    reportError(error)
    return false
  }
  renew()
  return true
}

const chosen = (
  eligible: readonly Unusual[],
  { all, filter, count }: Selection<Unusual>,
): UnusualSelection => (all ? { filter, atMost: count } : { dids: eligible.map(({ deviceId }) => deviceId) })

export const Page = listPage({
  screen: unusualListScreen,
  line: 'unusual:about',
  call: getUnusualList,
  rowKey: 'deviceId',
  columns,
  filters: [
    {
      key: 'groupId',
      label: 'device:filter.group',
      ...ofGroups,
    },
  ],
  searchPlaceholder: 'unusual:searchPlaceholder',
  exportName: 'abnormal-devices',
  rowLink: detailLink,
  rowActions: (row) => [
    {
      key: 'restore',
      label: t('unusual:restore.verb'),
      icon: IconRestore,
      permission: deviceRestorePermission,
      run: () => void restore({ dids: [row.deviceId] }),
    },
    {
      key: 'detail',
      label: t('device:action.detail'),
      icon: IconReport,
      permission: deviceDetailPermission,
      run: () => goTo(detailPath(row)),
    },
    {
      key: 'purge',
      label: t('unusual:purge.verb'),
      icon: IconTrashX,
      permission: devicePurgePermission,
      danger: true,
      run: () => void purge({ dids: [row.deviceId] }, 1, row),
    },
  ],
  bulk: [
    {
      key: 'restore',
      label: 'unusual:restore.verb',
      icon: IconRestore,
      permission: deviceRestorePermission,
      onAll: true,
      run: async (eligible, selection) => {
        if (selection.all && !(await askToRestore(selection))) return
        if (await restore(chosen(eligible, selection))) selection.clear()
      },
    },
    {
      key: 'purge',
      label: 'unusual:purge.verb',
      icon: IconTrashX,
      permission: devicePurgePermission,
      danger: true,
      onAll: true,
      run: async (eligible, selection) => {
        const only = !selection.all && eligible.length === 1 ? eligible[0] : undefined
        const count = selection.all ? selection.count : eligible.length
        if (await purge(chosen(eligible, selection), count, only, selection.preview)) selection.clear()
      },
    },
  ],
  empty: () => <Empty title={t('unusual:empty')} text={t('unusual:emptyText')} />,
})
