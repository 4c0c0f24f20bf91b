import { Alert, Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconDeviceMobile } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { isCancelled } from '../kit/api.ts'
import { t } from '../kit/i18n.ts'

type FieldProps = {
  value: string
  error: string | null
  onChange: (code: string) => void
  autoFocus?: boolean
  /** False before recovery codes exist. */
  recovery?: boolean
  /** Passed to the input. */
  attributes?: Readonly<Record<string, string>>
}

/** Accepts six digits or a recovery code; phones suggest a code just received. */
export function CodeField({
  value,
  error,
  onChange,
  autoFocus = false,
  recovery = true,
  attributes = {},
}: FieldProps) {
  return (
    <TextInput
      label={t('session:code.label')}
      description={t(recovery ? 'session:code.hint' : 'session:code.digits')}
      name="totp"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      autoFocus={autoFocus}
      leftSection={<IconDeviceMobile size={18} stroke={1.5} />}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...attributes}
    />
  )
}

type Props = {
  /** Logs in with the code. @throws ApiError */
  enter: (code: string) => Promise<void>
  onBack: () => void
}

/** The second step of a login: the password was correct, but there is no token yet. */
export function LoginCode({ enter, onBack }: Props) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() === '') return setError(t('session:code.missing'))
    setBusy(true)
    try {
      await enter(code)
    } catch (failure) {
      if (!isCancelled(failure)) setError(failure instanceof Error ? failure.message : String(failure))
      setCode('')
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <div>
          <Title order={1} fz={24} lh="32px">
            {t('session:code.title')}
          </Title>
          <Text c="dimmed">{t('session:code.text')}</Text>
        </div>
        <CodeField
          value={code}
          error={error}
          autoFocus
          onChange={(next) => {
            setCode(next)
            setError(null)
          }}
        />
        <Button type="submit" size="md" loading={busy} fullWidth>
          {t('session:login.submit')}
        </Button>
        <Button variant="subtle" onClick={onBack}>
          {t('session:code.back')}
        </Button>
        <Alert color="gray" variant="light" py={8}>
          {t('session:code.lost')}
        </Alert>
      </Stack>
    </form>
  )
}
