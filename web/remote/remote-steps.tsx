import { Alert, List, ThemeIcon } from '@mantine/core'
import {
  type Icon,
  IconAlertTriangle,
  IconCheck,
  IconCircleDashed,
  IconLoader2,
  IconX,
} from '@tabler/icons-react'
import { clockTime } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import classes from './remote.module.css'
import type { Remote, Session } from './remote-use.ts'

/** Why it ended, in the specification's words, with what the device said. */
export const endText = ({ endReason, endDetail }: Pick<Session, 'endReason' | 'endDetail'>): string =>
  endReason && endDetail
    ? t('kit:labelled', { label: t(`remote:end.${endReason}`), text: endDetail })
    : endReason
      ? t(`remote:end.${endReason}`)
      : (endDetail ?? '')

type StepState = 'done' | 'next' | 'failed' | 'open'
const looks: Record<StepState, { Shape: Icon; color: string }> = {
  done: { Shape: IconCheck, color: 'green' },
  next: { Shape: IconLoader2, color: 'blue' },
  failed: { Shape: IconX, color: 'red' },
  open: { Shape: IconCircleDashed, color: 'gray' },
}

function StepIcon({ state }: { state: StepState }) {
  const { Shape, color } = looks[state]
  return (
    <ThemeIcon
      className={classes['step'] ?? ''}
      data-state={state}
      size={20}
      radius="xl"
      variant="light"
      color={color}
    >
      <Shape size={14} />
    </ThemeIcon>
  )
}

/** How far the connection is; with the reason where it ended. */
export function RemoteSteps({ remote: { session, refusal } }: { remote: Remote }) {
  if (refusal !== null)
    return (
      <Alert color="red" icon={<IconAlertTriangle size={18} />} role="alert">
        {refusal}
      </Alert>
    )
  if (!session) return null
  const { steps, endedAt, endReason } = session
  const first = steps.find(({ at }) => at === null)?.step
  // The tunnel waits for what its user opens, and a session that its user closed did not fail at any step.
  const reached: StepState =
    endedAt === null
      ? session.tunnelAt === null
        ? 'next'
        : 'open'
      : endReason === 'closed'
        ? 'open'
        : 'failed'
  return (
    <>
      <List size="sm" spacing={6} center ps={0} aria-live="polite">
        {steps.map(({ step, at }) => (
          <List.Item key={step} icon={<StepIcon state={at ? 'done' : step === first ? reached : 'open'} />}>
            {t(`remote:step.${step}`)}
            {at ? <span className="tabular"> · {clockTime(at)}</span> : null}
          </List.Item>
        ))}
      </List>
      {endedAt === null ? null : (
        <Alert
          mt="sm"
          color={endReason === 'closed' ? 'gray' : 'red'}
          icon={<IconAlertTriangle size={18} />}
          role="alert"
        >
          {endText(session)}
        </Alert>
      )}
    </>
  )
}
