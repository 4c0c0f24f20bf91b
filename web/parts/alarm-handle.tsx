import { Button, Checkbox, CloseButton, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import {
  acknowledgeAlarms,
  deleteNoteTemplate,
  getAlarmCount,
  getAlarmFacets,
  getAlarmHistory,
  getAlarmList,
  getNoteTemplates,
  handleAlarms,
  saveNoteTemplate,
} from '#schema/alarm'
import { t } from '../kit/i18n.ts'
import { useAction, useCall } from '../kit/query.ts'
import type { AlarmRow } from './alarm-chips.tsx'

export const alarmReads = [getAlarmList, getAlarmHistory, getAlarmCount, getAlarmFacets] as const
const NOTE_MAX = 1000
const TEMPLATE_MAX = 200

export function useAcknowledge() {
  const action = useAction(acknowledgeAlarms, { refreshes: alarmReads, success: t('alarm:acknowledge.done') })
  return (rows: readonly AlarmRow[]) => {
    const alarmIds = rows.filter(({ ackAt }) => !ackAt).map(({ id }) => id)
    if (alarmIds.length > 0) action.start({ alarmIds })
  }
}

function Templates({ onPick }: { onPick: (text: string) => void }) {
  const templates = useCall(getNoteTemplates, {})
  const remove = useAction(deleteNoteTemplate, { refreshes: [getNoteTemplates] })
  const list = templates.data?.list ?? []
  if (list.length === 0) return null
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {t('alarm:handle.templates')}
      </Text>
      <Group gap={6}>
        {list.map(({ id, text }) => (
          <Group key={id} gap={0} wrap="nowrap">
            <Button size="compact-sm" variant="default" onClick={() => onPick(text)}>
              {text.length > 40 ? `${text.slice(0, 40)}…` : text}
            </Button>
            <CloseButton
              size="sm"
              aria-label={t('alarm:handle.forget', { text })}
              onClick={() => remove.start({ templateId: id })}
            />
          </Group>
        ))}
      </Group>
    </div>
  )
}

type HandleProps = { rows: readonly AlarmRow[]; onClose: () => void; onDone?: () => void }

/** [§4] Handling is saved with a note; `rows` empty: closed. */
export function HandleDialog({ rows, onClose, onDone }: HandleProps) {
  const [note, setNote] = useState('')
  const [keep, setKeep] = useState(false)
  const save = useAction(saveNoteTemplate, { refreshes: [getNoteTemplates] })
  const leave = () => {
    setNote('')
    setKeep(false)
    onClose()
  }
  const handle = useAction(handleAlarms, {
    refreshes: alarmReads,
    success: t('alarm:handle.done'),
    onDone: () => {
      leave()
      onDone?.()
    },
  })
  const text = note.trim()
  const submit = () => {
    if (keep) save.start({ text: text.slice(0, TEMPLATE_MAX) })
    handle.start({ alarmIds: rows.map(({ id }) => id), note: text })
  }
  const [first] = rows
  return (
    <Modal
      opened={rows.length > 0}
      onClose={leave}
      title={
        rows.length === 1 && first
          ? t('alarm:handle.one', { device: first.deviceName })
          : t('alarm:handle.many', { count: rows.length })
      }
    >
      <Stack gap="sm">
        <Textarea
          data-autofocus
          label={t('alarm:field.note')}
          withAsterisk
          autosize
          minRows={3}
          maxLength={NOTE_MAX}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Templates onPick={setNote} />
        <Checkbox
          label={t('alarm:handle.keep')}
          checked={keep}
          onChange={(event) => setKeep(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={leave}>
            {t('kit:cancel')}
          </Button>
          <Button disabled={text === ''} loading={handle.busy} onClick={submit}>
            {t('alarm:handle.verb')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
