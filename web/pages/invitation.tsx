/** The target of an invitation mail: the user chooses a password. */
import { Alert, Button, Loader, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconCircleCheck, IconKey, IconMailOff } from '@tabler/icons-react'
import { useCallback, useEffect, useState } from 'react'
import { acceptInvitation, LINK_INVALID, readInvitation } from '#schema/people/invitation'
import { isGoodPassword } from '#schema/people/session'
import { ApiError, request } from '../kit/api.ts'
import { ErrorBar } from '../kit/error-bar.tsx'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { forgetToken, LinkFrame, tokenOfLink } from '../people/link-frame.tsx'

/** Opening /login ends an existing login, which is another user's. */
const toLogin = () => goTo('/login')

function Done({ username, email }: { username: string; email: string }) {
  return (
    <Stack gap="md">
      <IconCircleCheck size={40} stroke={1.5} color="var(--online)" aria-hidden />
      <Title order={1} fz={24} lh="32px">
        {t('invitation:done')}
      </Title>
      <Text>{t('invitation:doneText', { username, email })}</Text>
      <Button size="md" onClick={toLogin}>
        {t('invitation:login')}
      </Button>
    </Stack>
  )
}

function Invalid({ text }: { text: string }) {
  return (
    <Stack gap="md">
      <IconMailOff size={40} stroke={1.5} color="var(--warning)" aria-hidden />
      <Title order={1} fz={24} lh="32px">
        {t('invitation:invalid')}
      </Title>
      <Text c="dimmed">{text}</Text>
      <Button variant="default" onClick={toLogin}>
        {t('invitation:login')}
      </Button>
    </Stack>
  )
}

type Invited = { username: string; customerName: string | null }

function Choose({ token, invited: { username, customerName } }: { token: string; invited: Invited }) {
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState<{ username: string; email: string } | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const form = useForm({
    initialValues: { password: '', confirmPassword: '' },
    validateInputOnBlur: true,
    validate: {
      password: (value) => (isGoodPassword(value) ? null : t('session:passwordRule')),
      confirmPassword: (value, { password }) => (value === password ? null : t('session:passwordsDiffer')),
    },
  })
  if (done) return <Done {...done} />
  const submit = form.onSubmit(async (values) => {
    setFailure(null)
    setBusy(true)
    try {
      const reply = await request(acceptInvitation, { token, ...values })
      forgetToken()
      setDone(reply)
    } catch (error) {
      if (error instanceof ApiError && error.field) form.setFieldError(error.field, error.message)
      else setFailure(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <IconKey size={40} stroke={1.5} color="var(--primary)" aria-hidden />
        <Title order={1} fz={24} lh="32px">
          {t('invitation:title')}
        </Title>
        <Text c="dimmed">
          {customerName === null
            ? t('invitation:textPlatform', { username })
            : t('invitation:text', { username, customer: customerName })}
        </Text>
        {/* For password managers, which store the password for this name. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <PasswordInput
          label={t('session:newPassword')}
          description={t('session:passwordRule')}
          autoComplete="new-password"
          size="md"
          autoFocus
          {...form.getInputProps('password')}
        />
        <PasswordInput
          label={t('session:newPasswordAgain')}
          autoComplete="new-password"
          size="md"
          {...form.getInputProps('confirmPassword')}
        />
        {failure ? (
          <Alert color="red" role="alert" py={8}>
            {failure}
          </Alert>
        ) : null}
        <Button type="submit" size="md" loading={busy}>
          {t('invitation:verb')}
        </Button>
      </Stack>
    </form>
  )
}

type Read = { invited?: Invited; error?: Error }

function Invitation() {
  // Kept: the fragment is removed when the invitation is accepted.
  const [token] = useState(tokenOfLink)
  const [{ invited, error }, setRead] = useState<Read>({})
  // The shell, with its cache of queries, is not loaded here.
  const read = useCallback(() => {
    setRead({})
    if (token === '') return
    request(readInvitation, { token }).then(
      (found) => setRead({ invited: found }),
      (failure: Error) => setRead({ error: failure }),
    )
  }, [token])
  useEffect(read, [read])
  if (token === '') return <Invalid text={t('invitation:broken')} />
  if (error instanceof ApiError && error.code === LINK_INVALID)
    return <Invalid text={t('invitation:invalidText')} />
  if (error) return <ErrorBar error={error} onRetry={read} />
  return invited ? <Choose token={token} invited={invited} /> : <Loader />
}

export function Page() {
  return (
    <LinkFrame words={['invitation']} title={() => t('invitation:title')}>
      <Invitation />
    </LinkFrame>
  )
}
