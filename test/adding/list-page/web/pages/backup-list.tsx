import { backupFiles, backupListScreen, getFleetBackups } from '#schema/device/backup-list'
import type { Word } from '#schema/kit/words.gen'
import { detailPath } from '../device/device-options.ts'
import { bytes } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter, Row } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { When } from '../kit/time.tsx'

export const words: readonly Word[] = ['backup-list', 'device']

const columns: readonly Column<Row<typeof getFleetBackups>>[] = [
  {
    key: 'deviceSn',
    title: 'backup-list:field.deviceSn',
    width: 150,
    pinned: 'left',
    card: 'title',
    render: (row) => <Mono value={row.deviceSn} />,
  },
  { key: 'deviceName', title: 'backup-list:field.deviceName', width: 180 },
  {
    key: 'createdAt',
    title: 'backup-list:field.createdAt',
    width: 165,
    render: (row) => <When at={row.createdAt} absolute />,
  },
  {
    key: 'sizeBytes',
    title: 'backup-list:field.sizeBytes',
    width: 110,
    numeric: true,
    render: (row) => bytes(row.sizeBytes),
  },
  { key: 'firmware', title: 'backup-list:field.firmware', width: 110 },
  { key: 'remark', title: 'backup-list:field.remark', width: 240 },
]

const filters: readonly Filter[] = [
  {
    key: 'hasFile',
    label: 'backup-list:field.hasFile',
    useOptions: () => backupFiles.map((value) => ({ value, label: t(`backup-list:file.${value}`) })),
  },
]

export const Page = listPage({
  screen: backupListScreen,
  call: getFleetBackups,
  rowKey: 'id',
  columns,
  filters,
  searchPlaceholder: 'backup-list:search',
  rowLink: detailPath,
  exportName: 'backups',
})
