import { Alert, Group, Stack, Text } from '@mantine/core'
import { IconAlertOctagon, IconPlayerPlay } from '@tabler/icons-react'
import {
  type BatchRow,
  getCommandBatch,
  getCommandBatchDevices,
  getCommandBatchList,
  resumeCommandBatch,
} from '#schema/task/command-batch'
import { ActionButton } from '../kit/action-button.tsx'
import { ask } from '../kit/confirm.tsx'
import { moment, number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useAction } from '../kit/query.ts'
import { toast } from '../kit/toast.tsx'

type Props = { batch: BatchRow; stopped: NonNullable<BatchRow['stopped']> }

/** Why a batch stands still, until when, and the way on. */
export function BatchStopped({ batch, stopped }: Props) {
  const waiting = batch.counts.queued
  const action = useAction(resumeCommandBatch, {
    refreshes: [getCommandBatch, getCommandBatchDevices, getCommandBatchList],
    onDone: ({ waiting: count }) => void toast('success', t('command-batch:resume.done', { count })),
  })
  const press = async () => {
    const yes = await ask({
      title: t('command-batch:resume.title', { count: waiting }),
      text: t('command-batch:resume.text'),
      verb: t('command-batch:resume.verb'),
    })
    if (yes) action.start({ batchId: batch.batchId })
  }
  return (
    <Alert color="red" icon={<IconAlertOctagon size={20} stroke={1.5} />} role="alert">
      <Group justify="space-between" gap="sm">
        <Stack gap={2} style={{ flex: '1 1 260px' }}>
          <Text size="sm" fw={600}>
            {t(`command-batch:stopped.${stopped.reason}`, {
              failed: number(stopped.failed),
              tried: number(stopped.tried),
            })}
          </Text>
          {waiting > 0 ? (
            <Text size="sm">
              {t('command-batch:stopped.when', { at: moment(stopped.at), until: moment(batch.expiresAt) })}
            </Text>
          ) : null}
        </Stack>
        <ActionButton
          icon={IconPlayerPlay}
          label={t('command-batch:resume.verb')}
          reason={waiting > 0 ? null : t('command-batch:resume.nothing')}
          busy={action.busy}
          onPress={() => void press()}
        />
      </Group>
    </Alert>
  )
}
