import type { getMailList } from '#schema/platform/mail'
import { moment } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import type { Row } from '../kit/list/list-types.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'

export type MailRow = Row<typeof getMailList>

const tones: Record<MailRow['state'], Tone> = {
  draft: 'pending',
  sending: 'pending',
  sent: 'online',
  failed: 'critical',
}

type MailState = Pick<MailRow, 'state' | 'kept' | 'held' | 'attempts' | 'dueAt'>
export const mailStateText = (row: MailState) =>
  t(`mail:state.${row.kept ? 'kept' : row.held ? 'held' : row.state}`)

/** "Kept" is not "sent": nothing has left this server. */
export function MailChip({ row }: { row: MailState }) {
  if (row.kept) return <StatusChip tone="offline" label={mailStateText(row)} hint={t('mail:keptHint')} />
  if (row.held)
    return (
      <StatusChip
        tone="pending"
        label={mailStateText(row)}
        hint={t('mail:heldHint', { at: moment(row.dueAt) })}
      />
    )
  const waits = row.state === 'sending' && row.attempts > 0
  return (
    <StatusChip
      tone={tones[row.state]}
      label={mailStateText(row)}
      {...(waits ? { hint: t('mail:nextTry', { at: moment(row.dueAt) }) } : {})}
    />
  )
}
