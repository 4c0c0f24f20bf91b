/** Recipients of a scheduled report, and which of them have not confirmed yet. */
import { Button, Group, Stack, TagsInput, Text } from '@mantine/core'
import { askRecipient, mayReceive } from '#schema/report/recipient'
import { getReportScheduleList } from '#schema/report/report-schedule'
import type { Drawn } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import type { Row } from '../kit/list/list-types.ts'
import { useAction, useCall } from '../kit/query.ts'
import { StatusChip } from '../kit/status-chip.tsx'

type Schedule = Row<typeof getReportScheduleList>
type Recipient = Schedule['recipientStates'][number]

export const unconfirmed = (states: readonly Recipient[]) => states.filter(({ state }) => !mayReceive(state))

function Waiting({ scheduleId, recipient }: { scheduleId: number; recipient: Recipient }) {
  const ask = useAction(askRecipient, {
    refreshes: [getReportScheduleList],
    success: t('report-schedule:recipient.asked'),
  })
  const { email, state } = recipient
  return (
    <Group gap={8}>
      <Text size="sm" w="100%" style={{ overflowWrap: 'anywhere' }}>
        {email}
      </Text>
      <StatusChip
        tone={state === 'waiting' ? 'pending' : 'warning'}
        label={t(
          state === 'waiting' ? 'report-schedule:recipient.waiting' : 'report-schedule:recipient.unasked',
        )}
      />
      <Button
        size="compact-sm"
        variant="subtle"
        loading={ask.busy}
        onClick={() => ask.start({ id: scheduleId, email })}
      >
        {t('report-schedule:recipient.ask')}
      </Button>
    </Group>
  )
}

/** The field of the form; `id` null: a new schedule, without confirmations. The states come from the list. */
export const recipientsField = (id: number | null) =>
  function RecipientsField({ name, label, hint, required, value, error, set }: Drawn) {
    const chosen = Array.isArray(value) ? value.map(String) : []
    const list = useCall(getReportScheduleList, id === null ? {} : { id }, { enabled: id !== null })
    const states = list.data?.list[0]?.recipientStates ?? []
    const waiting = unconfirmed(states).filter(({ email }) => chosen.includes(email))
    return (
      <Stack gap={8}>
        <TagsInput
          data-path={name}
          label={label}
          description={hint}
          withAsterisk={required}
          clearable
          value={chosen}
          error={error}
          onChange={set}
        />
        {id === null
          ? null
          : waiting.map((recipient) => (
              <Waiting key={recipient.email} scheduleId={id} recipient={recipient} />
            ))}
      </Stack>
    )
  }
