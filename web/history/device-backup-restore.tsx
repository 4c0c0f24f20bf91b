import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { getBackupFiles, getBackupList } from '#schema/device/backup'
import { getConfigTaskList, restoreBackup } from '#schema/task/config-task'
import { getTaskList } from '#schema/task/task-calls'
import { taskListScreen } from '#schema/task/task-pages'
import type { Device } from '../device/device-actions.tsx'
import { ActionButton } from '../kit/action-button.tsx'
import { Modal } from '../kit/dialog.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { moment } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { useAction, useCall } from '../kit/query.ts'
import { makeRequestId } from '../kit/server/request-id.ts'
import { ConfigContents } from '../task/config-contents.tsx'
import { type Backup, BackupDifferences } from './device-backup-diff.tsx'

/** Of all kept ones the newest that the device made with the settings that run now. */
const KEPT_MAX = 200

/** What will change: the newest backup of the running settings, compared with the one to be restored. */
function Changes({ device, backup }: { device: Device; backup: Backup }) {
  const kept = useCall(getBackupList, { deviceId: device.deviceId, limit: KEPT_MAX })
  if (kept.error) return <ErrorBar error={kept.error} onRetry={() => void kept.refetch()} />
  if (!kept.data) return <Skeleton h={120} />
  const { configHash } = device
  const running = kept.data.list.find(
    (row) => row.state === 'kept' && configHash !== null && row.configHash === configHash,
  )
  if (!running) return <Alert color="yellow">{t('detail:restore.unknown')}</Alert>
  if (running.backupId === backup.backupId || running.sha256 === backup.sha256)
    return <Alert color="blue">{t('detail:restore.running')}</Alert>
  return (
    <Stack gap="xs">
      <Text fw={600}>{t('detail:restore.changes')}</Text>
      <BackupDifferences backups={[running, backup]} />
    </Stack>
  )
}

type Props = { device: Device; backup: Backup; onClose: () => void }

/** Gives the device a kept backup again, after showing what that changes. */
export function BackupRestore({ device, backup, onClose }: Props) {
  // One dialog creates one task, even if it is submitted several times.
  const [requestId] = useState(makeRequestId)
  const action = useAction(restoreBackup, {
    refreshes: [getTaskList, getConfigTaskList],
    quiet: true,
    onDone: ({ taskId }) => {
      onClose()
      goTo(`${taskListScreen.path}/${taskId}`)
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
      size={960}
      title={t('detail:restore.title', { at: moment(backup.createdAt), name: device.deviceName })}
    >
      <Stack gap="md">
        {action.error ? <ErrorBar error={action.error} /> : null}
        <Text>{t('detail:restore.text')}</Text>
        {device.online ? null : <Alert color="yellow">{t('detail:restore.offline')}</Alert>}
        <Changes device={device} backup={backup} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('kit:cancel')}
          </Button>
          <ActionButton
            rank="primary"
            label={t('detail:restore.verb')}
            busy={action.busy}
            onPress={() => action.start({ backupId: backup.backupId, requestId })}
          />
        </Group>
      </Stack>
    </Modal>
  )
}

/** The files of a kept backup. */
export function BackupContents({ backup, onClose }: Omit<Props, 'device'>) {
  const read = useCall(getBackupFiles, { backupId: backup.backupId })
  return <ConfigContents name={moment(backup.createdAt)} read={read} onClose={onClose} />
}
