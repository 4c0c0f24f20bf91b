import '@mantine/notifications/styles.css'
import { Button, Group } from '@mantine/core'
import { t } from './i18n.ts'

export { Notifications, notifications } from '@mantine/notifications'

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
