/** Writes a value to equipment: current value, allowed range, confirmation, and result. */
import { Group, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import {
  variableWritePermission,
  type WriteOutcome,
  writeVariable,
} from '#schema/monitor/commands/write-variable'
import { getVariableValues } from '#schema/monitor/variable-values'
import { setVariableValue } from '#schema/monitor/variable-write'
import { commandText } from '../command/command-banner.tsx'
import { useFollowed } from '../command/command-follow.ts'
import { commandBlockedReason } from '../command/commands.ts'
import { ActionButton, SubmitButton } from '../kit/action-button.tsx'
import { ApiError, request } from '../kit/api.ts'
import { Modal } from '../kit/dialog.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { opener } from '../kit/opener.ts'
import { queryClient, reportError, useCall } from '../kit/query.ts'
import { useNow, When } from '../kit/time.tsx'
import { unitText } from './variable-columns.tsx'
import { type Value, valueText } from './variable-value.tsx'

export const writing = opener<Value>()

const REFRESH_S = 5
/** A bound may be finer than the variable is shown: 0.5 must not become 1. */
const BOUND_DIGITS = 10

const isSwitch = ({ dataType }: Value) => dataType === 'bool' || dataType === 'bit'

export function boundsText({ min, max, unit }: Pick<Value, 'min' | 'max' | 'unit'>): string | undefined {
  if (min === null && max === null) return undefined
  const shown = (bound: number | null) => (bound === null ? '…' : number(bound, BOUND_DIGITS))
  return `${shown(min)} – ${shown(max)} ${unitText(unit)}`.trim()
}

type Ended = {
  outcome: WriteOutcome
  exception?: number
  before: number | string | null
  after: number | string | null
}

/** While the dialog is open: the value before and after it is set. Of a live list it comes with its next sample. */
function useNewest(opened: Value): Value {
  const { terminalId, variableId } = opened
  const read = useCall(
    getVariableValues,
    { terminalIds: [terminalId], variableIds: [variableId], limit: 1 },
    { refreshS: REFRESH_S },
  )
  return read.data?.list[0] ?? opened
}

function WriteForm({ opened }: { opened: Value }) {
  const now = useNow()
  const row = useNewest(opened)
  const followed = useFollowed(row.deviceId)
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  /** What became of the value before is not said of one that is being sent, or was refused. */
  const [isFollowed, setFollowed] = useState(false)
  const reason =
    commandBlockedReason({ online: row.deviceOnline }, writeVariable.name) ??
    (typed.trim() === '' ? t('variable-write:empty') : null)
  const set = async (value: string) => {
    setError(null)
    setSending(true)
    setFollowed(false)
    try {
      const { deviceId, terminalId, variableId } = row
      const body = { deviceId, terminalId, variableId, value: value.trim() }
      // Not cancelled when the page is left: a confirmed command must not be aborted halfway.
      const { commandId } = await request(setVariableValue, body, new AbortController().signal)
      followed.follow(commandId)
      setFollowed(true)
    } catch (fault) {
      // Switches have no input that could show it.
      if (fault instanceof ApiError && fault.field === 'value' && !isSwitch(row)) setError(fault.message)
      else reportError(fault)
    } finally {
      setSending(false)
      await queryClient.invalidateQueries({ queryKey: [getVariableValues.name] })
    }
  }
  const sent = isFollowed ? followed.row : null
  const ended = sent?.result as Ended | null | undefined
  const busy = sending || followed.busy
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy && reason === null) void set(typed)
      }}
    >
      <Stack gap="md">
        <Text>
          {t('variable-write:now', { value: `${valueText(row)} ${unitText(row.unit)}`.trim() })}{' '}
          {row.at === null ? null : (
            <Text span size="sm" c="dimmed">
              (<When at={row.at} zone={row.timeZone} />)
            </Text>
          )}
        </Text>
        {isSwitch(row) ? null : (
          <TextInput
            label={[t('variable-write:value'), unitText(row.unit) && `[${unitText(row.unit)}]`]
              .filter(Boolean)
              .join(' ')}
            description={boundsText(row)}
            value={typed}
            error={error}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <Text c="dimmed">{t('command:text.writeVariable')}</Text>
        <div aria-live="polite">
          {ended ? (
            <Text c={ended.outcome === 'confirmed' ? 'var(--online)' : 'var(--critical)'}>
              {t(`variable-write:outcome.${ended.outcome}`, {
                code: ended.exception ?? 0,
                after: String(ended.after ?? '–'),
              })}
            </Text>
          ) : sent ? (
            <Text>{commandText(sent, now)}</Text>
          ) : null}
        </div>
        <Group justify="flex-end">
          {isSwitch(row) ? (
            (['0', '1'] as const).map((value) => (
              <ActionButton
                key={value}
                label={t(value === '0' ? 'variable-write:off' : 'variable-write:on')}
                permission={variableWritePermission}
                reason={commandBlockedReason({ online: row.deviceOnline }, writeVariable.name)}
                busy={busy}
                onPress={() => void set(value)}
              />
            ))
          ) : (
            <SubmitButton label={t('variable-write:set')} reason={reason} busy={busy} />
          )}
        </Group>
      </Stack>
    </form>
  )
}

/**
 * On each page with values that can be set. Several of these pages may be kept alive, and all see what is opened: it ends
 * with the page that it was opened on, so that no other one shows it.
 */
export function VariableWrite() {
  const open = writing.useOpened()
  useEffect(() => writing.close, [])
  if (!open) return null
  return (
    <Modal
      key={open.turn}
      opened={open.shown}
      onClose={writing.close}
      title={t('variable-write:title', { name: open.what.name, terminal: open.what.terminalName })}
    >
      <WriteForm opened={open.what} />
    </Modal>
  )
}
