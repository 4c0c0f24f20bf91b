import { Text } from '@mantine/core'
import {
  IconArrowsDiff,
  IconDatabaseExport,
  IconDownload,
  IconEdit,
  IconEye,
  IconRestore,
  IconTrash,
} from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { getCommandList } from '#schema/command/command'
import {
  createBackup,
  deleteBackup,
  downloadBackup,
  getBackupList,
  modifyBackup,
} from '#schema/device/backup'
import { deviceBackupPermission, uploadBackup } from '#schema/device/commands/backup'
import { configTaskCreatePermission } from '#schema/task/config-pages'
import { commandBlockedReason } from '../command/commands.ts'
import type { Device } from '../device/device-actions.tsx'
import { ActionButton } from '../kit/action-button.tsx'
import { lazy } from '../kit/chunk.ts'
import { ask } from '../kit/confirm.tsx'
import { bytes, moment } from '../kit/format.ts'
import { t, tOr } from '../kit/i18n.ts'
import type { Column } from '../kit/list/list-types.ts'
import { ListView } from '../kit/list/list-view.tsx'
import { Mono } from '../kit/mono.tsx'
import { reportError, useAction } from '../kit/query.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { toast } from '../kit/toast.tsx'
import { download } from '../kit/transfer.ts'
import type { Backup } from './device-backup-diff.tsx'

const FormDrawer = lazy(() =>
  import('../kit/form/form-drawer.tsx').then((module) => ({ default: module.FormDrawer })),
)
const BackupDiff = lazy(() =>
  import('./device-backup-diff.tsx').then((module) => ({ default: module.BackupDiff })),
)

const BackupRestore = lazy(() =>
  import('./device-backup-restore.tsx').then((module) => ({ default: module.BackupRestore })),
)
const BackupContents = lazy(() =>
  import('./device-backup-restore.tsx').then((module) => ({ default: module.BackupContents })),
)

const tones: Record<Backup['state'], Tone> = { kept: 'online', waiting: 'pending', failed: 'critical' }
const HASH_SHOWN = 12

const columns: readonly Column<Backup>[] = [
  {
    key: 'createdAt',
    title: 'detail:backup.createdAt',
    width: 180,
    card: 'title',
    render: (row) => (
      <>
        <When at={row.createdAt} absolute />
        {row.fromSn ? (
          <Text c="dimmed" fz="xs">
            {t('detail:backup.fromSn')} <Mono value={row.fromSn} />
          </Text>
        ) : null}
      </>
    ),
  },
  {
    key: 'state',
    title: 'device:column.state',
    width: 170,
    card: 'beside',
    text: (row) => t(`detail:backupState.${row.state}`),
    render: (row) => (
      <StatusChip
        tone={tones[row.state]}
        label={t(`detail:backupState.${row.state}`)}
        hint={row.error ? tOr(`command:state.${row.error}`, row.error) : undefined}
      />
    ),
  },
  {
    key: 'sizeBytes',
    title: 'detail:backup.size',
    width: 100,
    numeric: true,
    render: (row) => bytes(row.sizeBytes),
  },
  {
    key: 'sha256',
    title: 'detail:backup.sha256',
    width: 170,
    text: (row) => row.sha256,
    render: (row) => (row.sha256 ? <Mono value={row.sha256.slice(0, HASH_SHOWN)} /> : null),
  },
  { key: 'firmware', title: 'device:column.firmware', width: 100 },
  {
    key: 'configHash',
    title: 'device:fact.configHash',
    extra: true,
    render: (row) => <Mono value={row.configHash} />,
  },
  { key: 'createdBy', title: 'device:event.actor', width: 120 },
  {
    key: 'fromSn',
    title: 'detail:backup.fromSn',
    width: 150,
    extra: true,
    render: (row) => <Mono value={row.fromSn} />,
  },
  { key: 'remark', title: 'detail:backup.remark' },
]

/** Backups of one device: create, compare, download, delete. */
export function DeviceBackups({ device }: { device: Device }) {
  const { deviceId, deviceSn } = device
  const [compared, setCompared] = useState<readonly [Backup, Backup] | null>(null)
  const [edited, setEdited] = useState<Backup | null>(null)
  const [restored, setRestored] = useState<Backup | null>(null)
  const [shown, setShown] = useState<Backup | null>(null)
  const create = useAction(createBackup, { refreshes: [getBackupList, getCommandList] })
  const remove = useAction(deleteBackup, { refreshes: [getBackupList] })
  const askRemove = async (row: Backup) => {
    const sure = await ask({
      title: t('detail:backup.deleteTitle', { at: moment(row.createdAt) }),
      text: t('detail:backup.deleteText'),
      verb: t('detail:backup.delete'),
      danger: true,
    })
    if (sure) remove.start({ backupId: row.backupId })
  }
  const fetch = (row: Backup) =>
    download(
      downloadBackup,
      { backupId: row.backupId },
      `${deviceSn}-${moment(row.createdAt).replaceAll(':', '').replace(' ', '-')}.tar.gz`,
    ).catch(reportError)
  return (
    <>
      <ListView
        title={t('detail:backup.title')}
        call={getBackupList}
        rowKey="backupId"
        body={{ deviceId }}
        columns={columns}
        refreshS={5}
        prefix="backup"
        exportName="backups"
        hint={t('detail:backup.hint', { count: device.backupsKept })}
        action={
          <ActionButton
            rank="primary"
            icon={IconDatabaseExport}
            label={t('detail:backup.create')}
            permission={deviceBackupPermission}
            reason={commandBlockedReason(device, uploadBackup.name)}
            busy={create.busy}
            onPress={() => create.start({ deviceId })}
          />
        }
        bulk={[
          {
            key: 'compare',
            label: 'detail:backup.compare',
            icon: IconArrowsDiff,
            excluded: (row) => (row.state === 'kept' ? null : 'detail:backup.noFile'),
            run: (rows) => {
              const [old, now, more] = rows.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
              if (old && now && !more) setCompared([old, now])
              else void toast('error', t('detail:backup.chooseTwo'))
            },
          },
        ]}
        rowActions={(row) => [
          {
            key: 'restore',
            label: t('detail:restore.verb'),
            icon: IconRestore,
            permission: configTaskCreatePermission,
            reason: row.state === 'kept' ? null : t('detail:backup.noFile'),
            run: () => setRestored(row),
          },
          {
            key: 'contents',
            label: t('config-file:contents'),
            icon: IconEye,
            reason: row.state === 'kept' ? null : t('detail:backup.noFile'),
            run: () => setShown(row),
          },
          {
            key: 'download',
            label: t('detail:backup.download'),
            icon: IconDownload,
            reason: row.state === 'kept' ? null : t('detail:backup.noFile'),
            run: () => void fetch(row),
          },
          { key: 'edit', label: t('detail:backup.edit'), icon: IconEdit, run: () => setEdited(row) },
          {
            key: 'delete',
            label: t('detail:backup.delete'),
            icon: IconTrash,
            danger: true,
            reason: row.state === 'waiting' ? t('detail:backup.waiting') : null,
            run: () => void askRemove(row),
          },
        ]}
        empty={() => (
          <Text p="md" c="dimmed">
            {t('detail:backup.none')}
          </Text>
        )}
      />
      <Suspense>
        {compared ? <BackupDiff backups={compared} onClose={() => setCompared(null)} /> : null}
        {restored ? (
          <BackupRestore device={device} backup={restored} onClose={() => setRestored(null)} />
        ) : null}
        {shown ? <BackupContents backup={shown} onClose={() => setShown(null)} /> : null}
        {edited ? (
          <FormDrawer
            key={edited.backupId}
            opened
            onClose={() => setEdited(null)}
            title={t('detail:backup.edit')}
            verb={t('device:action.save')}
            edits
            edition={edited.edition}
            call={modifyBackup}
            refreshes={[getBackupList]}
            success={t('device:action.saved')}
            fixed={{ backupId: edited.backupId }}
            initial={{ remark: edited.remark ?? '' }}
            fields={['remark']}
          />
        ) : null}
      </Suspense>
    </>
  )
}
