import { Skeleton, Stack, Text } from '@mantine/core'
import { getMail } from '#schema/platform/mail'
import { Drawer } from '../kit/dialog.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { Facts } from '../kit/facts.tsx'
import { bytes } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { When } from '../kit/time.tsx'
import { MailChip } from './mail-chip.tsx'
import { MailText } from './mail-text.tsx'

type Props = { id: number; opened: boolean; onClose: () => void }

/** The text of one mail. */
export function MailReader({ id, opened, onClose }: Props) {
  const query = useCall(getMail, { id })
  const mail = query.data
  return (
    <Drawer opened={opened} onClose={onClose} title={mail?.subject ?? t('mail:read')} size={560}>
      <ReadBar read={query} />
      {mail ? (
        <Stack gap="md">
          <Facts
            facts={[
              { label: t('mail:field.recipient'), value: mail.recipient },
              { label: t('mail:field.state'), value: <MailChip row={mail} /> },
              { label: t('mail:field.createdAt'), value: <When at={mail.createdAt} absolute /> },
              { label: t('mail:field.sentAt'), value: <When at={mail.sentAt} absolute /> },
              { label: t('mail:field.attempts'), value: mail.attempts },
              { label: t('mail:field.customer'), value: mail.customerName },
            ]}
          />
          {mail.error ? (
            <Text c="var(--critical)" size="sm">
              {mail.error}
            </Text>
          ) : null}
          <MailText text={mail.text} />
          {mail.files.length > 0 ? (
            <div>
              <Text fw={600} size="sm">
                {t('mail:files')}
              </Text>
              {mail.files.map((file) => (
                <Text key={file.name} size="sm">
                  {file.name} ({bytes(file.sizeBytes)})
                </Text>
              ))}
            </div>
          ) : null}
        </Stack>
      ) : query.isPending ? (
        <Skeleton h={240} />
      ) : null}
    </Drawer>
  )
}
