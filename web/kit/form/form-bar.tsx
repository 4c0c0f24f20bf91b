import { Button, Tooltip } from '@mantine/core'
import { t } from '../i18n.ts'
import classes from '../kit.module.css'

type Props = {
  verb: string
  busy: boolean
  /** What is being sent cannot be called back: cancelling has to wait, too. */
  held?: boolean
  /** Number of changed fields; undefined when something new is created, which is always saved. */
  changes: number | undefined
  onCancel: () => void
  onDiscard: () => void
}

/** At the foot of a form, always visible: save, number of changes, cancel. */
export function FormBar({ verb, busy, held = false, changes, onCancel, onDiscard }: Props) {
  const unchanged = changes === 0
  return (
    <div className={classes['formBar']}>
      {changes ? (
        <Button variant="subtle" color="gray" disabled={held} onClick={onDiscard} mr="auto">
          {t('form:discard')}
        </Button>
      ) : null}
      <Button variant="default" disabled={held} onClick={onCancel}>
        {t('kit:cancel')}
      </Button>
      <Tooltip label={t('form:unchanged')} disabled={!unchanged}>
        <Button
          type={unchanged ? 'button' : 'submit'}
          loading={busy}
          data-disabled={unchanged ? true : undefined}
          aria-disabled={unchanged}
        >
          {changes ? t('form:saveChanges', { verb, count: changes }) : verb}
        </Button>
      </Tooltip>
    </div>
  )
}
