import '@mantine/notifications/styles.css'
import { Button, Group, Stack } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { t } from './i18n.ts'
import classes from './kit.module.css'
import { RequestIdNote } from './request-id-note.tsx'

export { notifications } from '@mantine/notifications'

/** In its lane, in the order of arrival; more than fit wait. */
export const Toaster = () => (
  <Notifications
    position="bottom-center"
    limit={2}
    withinPortal={false}
    classNames={{ root: classes['toasts'] ?? '' }}
  />
)

export function UndoMessage({ text, onUndo }: { text: string; onUndo: () => void }) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <span style={{ minWidth: 0, overflowWrap: 'anywhere' }}>{text}</span>
      <Button size="compact-sm" variant="light" style={{ flex: 'none' }} onClick={onUndo}>
        {t('kit:undo.verb')}
      </Button>
    </Group>
  )
}

type ErrorProps = { text: string; requestId: string | undefined; onRetry: (() => void) | undefined }

export function ErrorMessage({ text, requestId, onRetry }: ErrorProps) {
  return (
    <Stack gap={4} align="flex-start">
      <span style={{ overflowWrap: 'anywhere' }}>{text}</span>
      <RequestIdNote id={requestId} />
      {onRetry ? (
        <Button size="compact-sm" variant="light" onClick={onRetry}>
          {t('kit:error.retry')}
        </Button>
      ) : null}
    </Stack>
  )
}
