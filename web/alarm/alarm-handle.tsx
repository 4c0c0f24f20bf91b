import { Button, Checkbox, CloseButton, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { deleteNoteTemplate, getNoteTemplates, handleAlarms, saveNoteTemplate } from '#schema/alarm/alarm'
import { ActionButton } from '../kit/action-button.tsx'
import { Modal } from '../kit/dialog.tsx'
import { boundsOf } from '../kit/form/forms.ts'
import { t } from '../kit/i18n.ts'
import { useAction, useCall } from '../kit/query.ts'
import { toast } from '../kit/toast.tsx'
import { isPlatformUser } from '../people/people-options.ts'
import { alarmReads } from './alarm-acknowledge.ts'
import type { AlarmRow } from './alarm-chips.tsx'

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

type HandleProps = {
  rows: readonly AlarmRow[]
  /** If set, all alarms of this outage instead. */
  outage?: { incidentId: number; title: string } | null
  onClose: () => void
  onDone?: () => void
}

function titleOf({ rows, outage }: HandleProps) {
  const [first] = rows
  if (outage) return t('alarm:handle.one', { device: outage.title })
  return rows.length === 1 && first
    ? t('alarm:handle.one', { device: first.deviceName })
    : t('alarm:handle.many', { count: rows.length })
}

/** [§4] An alarm is handled with a note. Closed while there are neither rows nor an outage. */
export function HandleDialog(props: HandleProps) {
  const { rows, outage, onClose, onDone } = props
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
    onDone: ({ kept }, { note: noted }) => {
      if (keep) save.start({ text: noted.slice(0, boundsOf(saveNoteTemplate, 'text').maxLength) })
      void toast(
        kept > 0 ? 'warning' : 'success',
        kept > 0 ? t('alarm:handle.kept', { count: kept }) : t('alarm:handle.done'),
      )
      leave()
      onDone?.()
    },
  })
  // Its answer closes the dialog: by then it would be that of other alarms.
  const cancel = () => {
    if (!handle.busy) leave()
  }
  const text = note.trim()
  const submit = () => {
    const which = outage ? { incidentId: outage.incidentId } : { alarmIds: rows.map(({ id }) => id) }
    handle.start({ ...which, note: text })
  }
  return (
    <Modal opened={rows.length > 0 || Boolean(outage)} onClose={cancel} title={titleOf(props)}>
      <Stack gap="sm">
        <Textarea
          data-autofocus
          label={t('alarm:field.note')}
          withAsterisk
          autosize
          minRows={3}
          {...boundsOf(handleAlarms, 'note')}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Templates onPick={setNote} />
        {/* Templates belong to a customer. */}
        {isPlatformUser() ? null : (
          <Checkbox
            label={t('alarm:handle.keep')}
            checked={keep}
            onChange={(event) => setKeep(event.currentTarget.checked)}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" loading={handle.busy} onClick={cancel}>
            {t('kit:cancel')}
          </Button>
          <ActionButton
            rank="primary"
            label={t('alarm:handle.verb')}
            reason={text === '' ? t('alarm:handle.needNote') : null}
            busy={handle.busy}
            onPress={submit}
          />
        </Group>
      </Stack>
    </Modal>
  )
}
