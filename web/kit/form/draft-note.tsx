import { Alert, Button, Group } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { shortMoment } from '../format.ts'
import { t } from '../i18n.ts'
import { serverNow } from '../server/server-clock.ts'

/** Shown above a form that was restored from a draft. */
export function DraftNote({ at, onDiscard }: { at: number | null; onDiscard: () => void }) {
  if (at === null) return null
  return (
    <Alert py={6} icon={<IconHistory size={18} stroke={1.5} />}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        {t('form:draft.restored', { at: shortMoment(new Date(at), serverNow()) })}
        <Button size="compact-sm" variant="subtle" style={{ flex: 'none' }} onClick={onDiscard}>
          {t('form:draft.discard')}
        </Button>
      </Group>
    </Alert>
  )
}
