import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { changePassword, isGoodPassword } from '#schema/people/session'
import { ApiError, isCancelled, isSessionEnd } from '../kit/api.ts'
import { Modal } from '../kit/dialog.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { declaredProps } from '../kit/form/forms.ts'
import { t } from '../kit/i18n.ts'
import { useAction } from '../kit/query.ts'

/** [§8] */
const WRONG_PASSWORD = 15
const empty = { oldpassword: '', newpassword: '', again: '' }

/** [§5 Change password] The rule shown is the one enforced, here and on the server. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const change = useAction(changePassword, { quiet: true, success: t('session:passwordChanged') })
  const [failure, setFailure] = useState<Error | null>(null)
  const form = useForm({
    initialValues: empty,
    validateInputOnBlur: true,
    validate: {
      oldpassword: (value) => (value === '' ? t('session:oldPasswordMissing') : null),
      newpassword: (value) => (isGoodPassword(value) ? null : t('session:passwordRule')),
      again: (value, values) => (value === values.newpassword ? null : t('session:passwordsDiffer')),
    },
  })
  const close = () => {
    form.reset()
    onClose()
  }
  const save = form.onSubmit(async ({ oldpassword, newpassword }) => {
    setFailure(null)
    try {
      await change.run({ oldpassword, newpassword })
      close()
    } catch (error) {
      if (error instanceof ApiError && error.code === WRONG_PASSWORD)
        form.setFieldError('oldpassword', t('session:oldPasswordWrong'))
      else if (error instanceof ApiError && error.field && error.field in form.getValues())
        form.setFieldError(error.field, error.message)
      else if (!isCancelled(error) && !isSessionEnd(error))
        setFailure(error instanceof Error ? error : new Error(String(error)))
    }
  })
  return (
    <Modal opened onClose={close} title={t('shell:user.changePassword')}>
      <form onSubmit={save} noValidate>
        <Stack gap="sm">
          <Text size="xs" c="dimmed">
            {t('session:passwordEnds')}
          </Text>
          <PasswordInput
            {...declaredProps(changePassword, 'oldpassword')}
            autoComplete="current-password"
            data-autofocus
            required
            withAsterisk
            {...form.getInputProps('oldpassword')}
          />
          <PasswordInput
            {...declaredProps(changePassword, 'newpassword')}
            autoComplete="new-password"
            required
            withAsterisk
            {...form.getInputProps('newpassword')}
          />
          <PasswordInput
            {...declaredProps(changePassword, 'confirmPassword')}
            autoComplete="new-password"
            required
            withAsterisk
            {...form.getInputProps('again')}
          />
          {failure ? <ErrorBar error={failure} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('kit:cancel')}
            </Button>
            <Button type="submit" loading={change.busy}>
              {t('shell:user.changePassword')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
