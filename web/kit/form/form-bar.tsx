import { Button, Tooltip } from '@mantine/core'
import { ActionButton, whyProps } from '../action-button.tsx'
import { t } from '../i18n.ts'
import classes from '../kit.module.css'

type Props = {
  verb: string
  busy: boolean
  /** What is being sent cannot be called back: cancelling has to wait, too. */
  held?: boolean
  /** Number of changed fields; undefined when something new is created, which is always saved. */
  changes: number | undefined
  /** Why this user cannot save it at all. */
  refused?: string | null
  onCancel: () => void
  onDiscard: () => void
}

/** At the foot of a form, always visible: save, number of changes, cancel. */
export function FormBar({ verb, busy, held = false, changes, refused = null, onCancel, onDiscard }: Props) {
  const sending = held ? t('form:sending') : null
  const why = refused ?? (changes === 0 ? t('form:unchanged') : null)
  return (
    <div className={classes['formBar']}>
      {changes ? (
        <Tooltip label={sending} disabled={sending === null}>
          <Button
            variant="subtle"
            color="gray"
            mr="auto"
            {...whyProps(sending)}
            onClick={sending ? undefined : onDiscard}
          >
            {t('form:discard')}
          </Button>
        </Tooltip>
      ) : null}
      <ActionButton label={t('kit:cancel')} reason={sending} onPress={onCancel} />
      <Tooltip label={why} disabled={why === null}>
        <Button type={why === null ? 'submit' : 'button'} loading={busy} {...whyProps(why)}>
          {changes ? t('form:saveChanges', { verb, count: changes }) : verb}
        </Button>
      </Tooltip>
    </div>
  )
}
