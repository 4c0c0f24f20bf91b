import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { SubmitButton } from '../kit/action-button.tsx'
import { Modal } from '../kit/dialog.tsx'
import { FormFields } from '../kit/form/form-fields.tsx'
import { textOr } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import { useCommandForm } from './command-form.ts'
import { commandTitle, confirmationOf, type Question, sendNow } from './commands.ts'

type Props = { opened: boolean; onClose: () => void; question: Question }

/** The form of a command and its confirmation, as declared. */
export function CommandDialog({ opened, onClose, question }: Props) {
  const { target, command, args: given } = question
  const { fields, form, args } = useCommandForm(command, { given })
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const what = commandTitle(command.name, args)
  const asked = confirmationOf(command, args)
  const ready = asked !== 'typed' || typed.trim() === target.deviceSn
  const text = textOr(`command:text.${command.name}`, undefined)
  const submit = form.onSubmit(async () => {
    if (!ready) return
    setBusy(true)
    if (await sendNow({ ...question, args })) onClose()
    setBusy(false)
  })
  return (
    <Modal opened={opened} onClose={onClose} title={t('command:ask', { what, device: target.deviceName })}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {text ? <Text>{text}</Text> : null}
          <FormFields fields={fields} form={form} values={form.values} />
          {asked === 'typed' ? (
            <TextInput
              label={t('kit:typeToConfirm', { text: target.deviceSn })}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
            />
          ) : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('kit:cancel')}
            </Button>
            <SubmitButton
              label={what}
              reason={ready ? null : t('kit:typeToConfirm', { text: target.deviceSn })}
              busy={busy}
              danger={asked !== 'none'}
            />
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
