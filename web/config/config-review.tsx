import { Alert, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconSend } from '@tabler/icons-react'
import { applyDevice, getDeviceConfig, reviewConfig } from '#schema/config/device-config'
import type { Device } from '../device/device-actions.tsx'
import { ActionButton } from '../kit/action-button.tsx'
import { Drawer } from '../kit/dialog.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { t } from '../kit/i18n.ts'
import { reportError, useAction, useCall } from '../kit/query.ts'
import { sentences } from '../kit/words/sentences.ts'
import { FieldChanges, UciChanges } from './config-changes.tsx'
import { fieldLabel } from './page-field.tsx'

type Props = { opened: boolean; onClose: () => void; device: Device }

/** What applying would change, by field and as UCI; from here it is sent. */
export function ConfigReview({ opened, onClose, device }: Props) {
  const { deviceId } = device
  const read = useCall(reviewConfig, { deviceId }, { enabled: opened })
  const apply = useAction(applyDevice, {
    refreshes: [getDeviceConfig],
    success: t('config:sent'),
    onDone: onClose,
    quiet: true,
  })
  const review = read.data
  const send = async (reviewed: string) => {
    try {
      await apply.run({ deviceId, reviewed })
    } catch (error) {
      reportError(error)
      // A colleague may have edited meanwhile: what would be sent now is shown before it is sent.
      void read.refetch()
    }
  }
  return (
    <Drawer opened={opened} onClose={onClose} title={t('config:review.title')} size={920}>
      <ReadBar read={read} />
      {review ? (
        <Stack>
          {review.faults.map(({ page, path, message }) => (
            <Alert
              key={`${page} ${path} ${message}`}
              color="red"
              icon={<IconAlertTriangle size={18} stroke={1.5} />}
            >
              {message}
            </Alert>
          ))}
          {review.warnings.map(({ page, path, message }) => (
            <Alert
              key={`${page} ${path} ${message}`}
              color="yellow"
              icon={<IconAlertTriangle size={18} stroke={1.5} />}
            >
              {t('kit:labelled', { label: fieldLabel(page, path.split('.')[0] ?? ''), text: message })}
            </Alert>
          ))}
          <FieldChanges fields={review.fields} />
          <UciChanges changes={review.uci} />
          <Text size="sm">
            {sentences([
              review.confirmS === 0
                ? t('config:review.noTrial')
                : t('config:review.trial', { seconds: review.confirmS }),
              device.online ? null : t('config:review.offline'),
            ])}
          </Text>
          <Group justify="flex-end">
            <ActionButton
              icon={IconSend}
              rank="primary"
              label={t('config:review.apply')}
              busy={apply.busy}
              reason={
                review.faults[0]?.message ?? (review.uci.length === 0 ? t('config:review.nothing') : null)
              }
              onPress={() => void send(review.reviewed)}
            />
          </Group>
        </Stack>
      ) : read.error ? null : (
        <Skeleton h={240} />
      )}
    </Drawer>
  )
}
