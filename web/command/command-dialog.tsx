import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { sentValues } from '#schema/kit/values'
import { errorsOf, faultsOf } from '../kit/form/form-errors.ts'
import { FormFields } from '../kit/form/form-fields.tsx'
import { beginsWith, type FormValues, shownFields, textOr } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import { commandTitle, confirmationOf, type Question, sendNow, textsOfCommand } from './commands.ts'

type Props = { opened: boolean; onClose: () => void; question: Question }

/** The form of a command and its confirmation, as declared. */
export function CommandDialog({ opened, onClose, question }: Props) {
  const { target, command, args: given } = question
  const fields =
    given === undefined
      ? shownFields(
          command.fields.map(({ name }) => name),
          command.fields,
          textsOfCommand(command.name),
        )
      : []
  const labelOf = (path: string) => fields.find((field) => field.name === path.split('.')[0])?.label ?? path
  const form = useForm<FormValues>({
    initialValues: Object.fromEntries(fields.map((field) => [field.name, beginsWith(field)])),
    validateInputOnBlur: true,
    validate: (values) => (given ? {} : errorsOf(faultsOf(command.fields, [], values), labelOf)),
  })
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const args = given ?? sentValues(command.fields, form.values)
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
            <Button
              type="submit"
              disabled={!ready}
              loading={busy}
              {...(asked === 'none' ? {} : { color: 'red' })}
            >
              {what}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
