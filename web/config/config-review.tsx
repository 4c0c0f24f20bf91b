import { Alert, Code, Group, Stack, Table, Text } from '@mantine/core'
import { IconAlertTriangle, IconSend } from '@tabler/icons-react'
import { applyDevice, getDeviceConfig, reviewConfig } from '#schema/config/device-config'
import type { Device } from '../device/device-actions.tsx'
import { ActionButton } from '../kit/action-button.tsx'
import { Drawer } from '../kit/dialog.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { t } from '../kit/i18n.ts'
import { useAction, useCall } from '../kit/query.ts'
import { When } from '../kit/time.tsx'
import classes from './config.module.css'
import { fieldLabel, PageField } from './page-field.tsx'

type Props = { opened: boolean; onClose: () => void; device: Device }

/** What applying would change, by field and as UCI; from here it is sent. */
export function ConfigReview({ opened, onClose, device }: Props) {
  const { deviceId } = device
  const read = useCall(reviewConfig, { deviceId }, { enabled: opened })
  const apply = useAction(applyDevice, {
    refreshes: [getDeviceConfig],
    success: t('config:sent'),
    onDone: onClose,
  })
  const review = read.data
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
          <Table layout="fixed" className={classes['diff']}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('config:review.field')}</Table.Th>
                <Table.Th>{t('config:review.before')}</Table.Th>
                <Table.Th>{t('config:review.after')}</Table.Th>
                <Table.Th>{t('config:review.by')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {review.fields.map(({ page, name, before, after, by, at }) => (
                <Table.Tr key={`${page} ${name}`}>
                  <Table.Td>{fieldLabel(page, name)}</Table.Td>
                  <Table.Td>
                    <PageField page={page} field={name} value={before} />
                  </Table.Td>
                  <Table.Td fw={600}>
                    <PageField page={page} field={name} value={after} />
                  </Table.Td>
                  <Table.Td>
                    {by} <When at={at} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <div>
            <Text size="sm" fw={600} mb={4}>
              {t('config:review.uci')}
            </Text>
            <Code block className={classes['diff'] ?? ''}>
              {review.uci
                .map(({ place, kind, before, after }) =>
                  kind === 'moved'
                    ? `~ ${place}`
                    : [
                        before === null ? '' : `- ${place} ${before}`,
                        after === null ? '' : `+ ${place} ${after}`,
                      ]
                        .filter(Boolean)
                        .join('\n') || `${kind === 'added' ? '+' : '-'} ${place}`,
                )
                .join('\n')}
            </Code>
          </div>
          <Text size="sm">
            {review.confirmS === 0
              ? t('config:review.noTrial')
              : t('config:review.trial', { seconds: review.confirmS })}
            {device.online ? '' : ` ${t('config:review.offline')}`}
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
              onPress={() => apply.start({ deviceId })}
            />
          </Group>
        </Stack>
      ) : null}
    </Drawer>
  )
}
