import { Button, Group, Text } from '@mantine/core'
import { Modal } from '../kit/dialog.tsx'
import { t } from '../kit/i18n.ts'
import classes from './role.module.css'
import type { Change } from './role-grants.ts'

type Props = {
  opened: boolean
  onClose: () => void
  name: string
  changes: readonly Change[]
  /** Number of users affected with their next request. */
  users: number
  busy: boolean
  onSave: () => void
}

/** What saving will change, page by page. */
export function RoleChanges({ opened, onClose, name, changes, users, busy, onSave }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={t('role:review.title', { name })} size={560}>
      <Text c="dimmed" mb="sm">
        {t('role:review.text', { users })}
      </Text>
      {changes.map(({ page, added, removed }) => (
        <div key={page} className={classes['change']}>
          <Text fw={600}>{page}</Text>
          {added.map((text) => (
            <div key={text} className={classes['added']}>
              <span aria-hidden>+</span>
              <span>{t('role:review.added', { name: text })}</span>
            </div>
          ))}
          {removed.map((text) => (
            <div key={text} className={classes['removed']}>
              <span aria-hidden>−</span>
              <span>{t('role:review.removed', { name: text })}</span>
            </div>
          ))}
        </div>
      ))}
      {changes.length === 0 ? <Text>{t('role:review.none')}</Text> : null}
      <Group justify="flex-end" mt="md">
        <Button variant="default" loading={busy} onClick={onClose}>
          {t('kit:cancel')}
        </Button>
        <Button loading={busy} onClick={onSave}>
          {t('kit:save')}
        </Button>
      </Group>
    </Modal>
  )
}
