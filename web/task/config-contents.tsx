import { Skeleton, Stack, Text } from '@mantine/core'
import type { ReplyOf } from '#schema/kit/call'
import type { getConfigFileContents } from '#schema/task/config-file'
import { OutputPane } from '../command/output-pane.tsx'
import { Card } from '../kit/card.tsx'
import { Modal } from '../kit/dialog.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { bytes } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'

type Contents = ReplyOf<typeof getConfigFileContents>
type Props = {
  name: string
  read: { data: Contents | undefined; error: Error | null; refetch: () => unknown }
  onClose: () => void
}

/** The files of an archive of settings, one below the other. */
export function ConfigContents({ name, read, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} size={960} title={t('config-file:contentsTitle', { name })}>
      {read.error ? <ErrorBar error={read.error} onRetry={() => void read.refetch()} /> : null}
      {read.data ? (
        <Stack gap="sm">
          {read.data.complete ? null : <Text c="var(--warning)">{t('config-file:contentsIncomplete')}</Text>}
          {read.data.files.map(({ path, sizeBytes, text }) => (
            <Card
              key={path}
              title={<span style={{ fontFamily: 'var(--font-mono)' }}>{path}</span>}
              side={
                <Text size="xs" c="dimmed">
                  {bytes(sizeBytes)}
                </Text>
              }
            >
              {text === null ? (
                <Text c="dimmed">{t('config-file:unreadable')}</Text>
              ) : (
                <OutputPane label={path}>{text}</OutputPane>
              )}
            </Card>
          ))}
        </Stack>
      ) : read.error ? null : (
        <Skeleton h={240} />
      )}
    </Modal>
  )
}
