import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Modal } from '../dialog.tsx'
import { t } from '../i18n.ts'
import { useCopy } from '../light/copy.ts'

export function CopyField({
  value,
  label,
  block = false,
}: {
  /** null: there is none, and nothing is shown. */
  value: string | null
  label: string
  block?: boolean
}) {
  const { copied, copy } = useCopy()
  if (value === null) return null
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Button
          size="compact-sm"
          variant="light"
          leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} stroke={1.5} />}
          onClick={() => copy(value)}
        >
          {copied ? t('kit:copied') : t('kit:copy')}
        </Button>
      </Group>
      <Code
        block={block}
        style={{ display: 'block', overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
        p={8}
      >
        {value}
      </Code>
    </div>
  )
}

type Props = { opened: boolean; onClose: () => void; title: string; children: ReactNode }

/** A secret that is stored only as a hash: shown once, and closed only deliberately. */
export function SecretOnce({ opened, onClose, title, children }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      // Only the button closes it: nobody would see the secret again.
      onBack={() => undefined}
      title={title}
      size={560}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow" icon={<IconAlertTriangle size={18} stroke={1.5} />} c="var(--warning)">
          {t('form:secret.once')}
        </Alert>
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('form:secret.kept')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
