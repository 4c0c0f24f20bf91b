import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconMailCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { BINDING_MINUTES, bindEmail } from '#schema/people/profile'
import { ApiError, isCancelled, isSessionEnd } from '../kit/api.ts'
import { Modal } from '../kit/dialog.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { declaredProps } from '../kit/form/forms.ts'
import { t } from '../kit/i18n.ts'
import { me } from '../kit/me.ts'
import { useAction } from '../kit/query.ts'

/** [§8] */
const WRONG_PASSWORD = 15
const looksLikeEmail = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** [§7 bindEmail] Code 0 means that the mail is being sent; the address is bound when its link is used. */
export function EmailDialog({ onClose }: { onClose: () => void }) {
  const now = me().user.user_email
  const bind = useAction(bindEmail, { quiet: true })
  const [sent, setSent] = useState<{ email: string; kept: boolean } | null>(null)
  const [failure, setFailure] = useState<Error | null>(null)
  const form = useForm({
    initialValues: { email: '', passwd: '' },
    validateInputOnBlur: true,
    validate: {
      email: (value) => (looksLikeEmail.test(value.trim()) ? null : t('profile:bind.wrong')),
      passwd: (value) => (value === '' ? t('profile:bind.passwordMissing') : null),
    },
  })
  const send = form.onSubmit(async ({ email, passwd }) => {
    setFailure(null)
    try {
      const { kept } = await bind.run({ email: email.trim(), passwd })
      setSent({ email: email.trim(), kept })
    } catch (error) {
      if (error instanceof ApiError && error.code === WRONG_PASSWORD)
        form.setFieldError('passwd', t('profile:bind.passwordWrong'))
      else if (error instanceof ApiError && error.field && error.field in form.getValues())
        form.setFieldError(error.field, error.message)
      else if (!isCancelled(error) && !isSessionEnd(error))
        setFailure(error instanceof Error ? error : new Error(String(error)))
    }
  })
  return (
    <Modal opened onClose={onClose} title={t('profile:bind.title')}>
      {sent ? (
        <Stack gap="md">
          <Alert
            color={sent.kept ? 'yellow' : 'green'}
            c={sent.kept ? 'var(--warning)' : 'var(--online)'}
            icon={<IconMailCheck size={18} stroke={1.5} />}
            title={t(sent.kept ? 'profile:bind.kept' : 'profile:bind.sent')}
          >
            {sent.kept
              ? t('profile:bind.keptText')
              : t('profile:bind.sentText', { minutes: BINDING_MINUTES, email: sent.email })}
          </Alert>
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('kit:close')}</Button>
          </Group>
        </Stack>
      ) : (
        <form onSubmit={send} noValidate>
          <Stack gap="sm">
            <Text>{now ? t('profile:bind.now', { email: now }) : t('profile:bind.none')}</Text>
            <Text size="sm" c="dimmed">
              {t('profile:bind.text', { minutes: BINDING_MINUTES })}
            </Text>
            <TextInput
              type="email"
              autoComplete="email"
              {...declaredProps(bindEmail, 'email')}
              required
              data-autofocus
              {...form.getInputProps('email')}
            />
            <PasswordInput
              {...declaredProps(bindEmail, 'passwd')}
              autoComplete="current-password"
              required
              {...form.getInputProps('passwd')}
            />
            {failure ? <ErrorBar error={failure} /> : null}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('kit:cancel')}
              </Button>
              <Button type="submit" loading={bind.busy}>
                {t('profile:bind.send')}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  )
}
