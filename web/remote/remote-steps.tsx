import { Alert, List, ThemeIcon } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCircleDashed, IconLoader2 } from '@tabler/icons-react'
import { clockTime } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import type { Remote, Session } from './remote-use.ts'

/** Why it ended, in the specification's words, with what the device said. */
export const endText = ({ endReason, endDetail }: Pick<Session, 'endReason' | 'endDetail'>): string =>
  [endReason ? t(`remote:end.${endReason}`) : '', endDetail ?? ''].filter(Boolean).join(': ')

/** How far the connection is; with the reason where it ended. */
export function RemoteSteps({ remote: { session, refusal } }: { remote: Remote }) {
  if (refusal !== null)
    return (
      <Alert color="red" icon={<IconAlertTriangle size={18} />} role="alert">
        {refusal}
      </Alert>
    )
  if (!session) return null
  const next = session.endedAt === null ? session.steps.find(({ at }) => at === null)?.step : undefined
  return (
    <>
      <List size="sm" spacing={6} center aria-live="polite">
        {session.steps.map(({ step, at }) => (
          <List.Item
            key={step}
            icon={
              <ThemeIcon size={20} radius="xl" variant="light" color={at ? 'green' : 'gray'}>
                {at ? (
                  <IconCheck size={14} />
                ) : step === next ? (
                  <IconLoader2 size={14} />
                ) : (
                  <IconCircleDashed size={14} />
                )}
              </ThemeIcon>
            }
          >
            {t(`remote:step.${step}`)}
            {at ? <span className="tabular"> · {clockTime(at)}</span> : null}
          </List.Item>
        ))}
      </List>
      {session.endedAt === null ? null : (
        <Alert
          mt="sm"
          color={session.endReason === 'closed' ? 'gray' : 'red'}
          icon={<IconAlertTriangle size={18} />}
          role="alert"
        >
          {endText(session)}
        </Alert>
      )}
    </>
  )
}
