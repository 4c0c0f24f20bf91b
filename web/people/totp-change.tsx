import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiError, isCancelled, isSessionEnd } from '../kit/api.ts'
import { Modal } from '../kit/dialog.tsx'
import { t } from '../kit/i18n.ts'
import { reportError } from '../kit/query.ts'
import { CodeField } from './login-code.tsx'

type Props = {
  title: string
  text: string
  verb: string
  danger?: boolean
  run: (body: { passwd: string; totp: string }) => Promise<unknown>
  onClose: () => void
}

/** Requires password and code, so that a stolen session is not sufficient. */
export function TotpChange({ title, text, verb, danger = false, run, onClose }: Props) {
  const [passwd, setPasswd] = useState('')
  const [totp, setTotp] = useState('')
  const [errors, setErrors] = useState<{ passwd?: string; totp?: string }>({})
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const missing = {
      ...(passwd === '' ? { passwd: t('totp:passwordMissing') } : {}),
      ...(totp.trim() === '' ? { totp: t('session:code.missing') } : {}),
    }
    setErrors(missing)
    if (Object.keys(missing).length > 0) return
    setBusy(true)
    try {
      await run({ passwd, totp })
    } catch (error) {
      if (!isCancelled(error) && !isSessionEnd(error)) {
        if (error instanceof ApiError && error.field) setErrors({ [error.field]: error.message })
        else reportError(error)
      }
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="sm">
          <Text>{text}</Text>
          <PasswordInput
            label={t('totp:password')}
            autoComplete="current-password"
            data-autofocus
            value={passwd}
            error={errors.passwd}
            onChange={(event) => setPasswd(event.currentTarget.value)}
          />
          <CodeField value={totp} error={errors.totp ?? null} onChange={setTotp} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('kit:cancel')}
            </Button>
            <Button type="submit" loading={busy} {...(danger ? { color: 'red' } : {})}>
              {verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
