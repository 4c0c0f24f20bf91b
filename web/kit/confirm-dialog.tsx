import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { SubmitButton } from './action-button.tsx'
import { Modal } from './dialog.tsx'
import { t } from './i18n.ts'
import type { Asked } from './question.ts'

export function ConfirmDialog({ question, answer }: Asked) {
  const [typed, setTyped] = useState('')
  const matches = question.typed === undefined || typed.trim() === question.typed
  return (
    <Modal opened onClose={() => answer(false)} title={question.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (matches) answer(true)
        }}
      >
        <Stack gap="md">
          <Text component="div">{question.text}</Text>
          {question.typed === undefined ? null : (
            <TextInput
              label={t('kit:typeToConfirm', { text: question.typed })}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => answer(false)}>
              {question.dismiss ?? t('kit:cancel')}
            </Button>
            <SubmitButton
              label={question.verb}
              reason={matches ? null : t('kit:typeToConfirm', { text: question.typed ?? '' })}
              danger={question.danger ?? false}
            />
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
