/** A refusal of the device, at its field. */
import type { useForm } from '@mantine/form'
import { useEffect } from 'react'
import type { FormValues } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'

export type Refused = { path: string; reason: string } | null
type Form = Pick<ReturnType<typeof useForm<FormValues>>, 'setFieldError' | 'clearFieldError'>

/** It comes and goes while the page is edited: what is typed meanwhile stays. */
export function useRefusal(form: Form, refused: Refused) {
  const { path, reason = '' } = refused ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is another object each time
  useEffect(() => {
    if (path === undefined) return
    form.setFieldError(path, t('config:refusedBy', { reason }))
    return () => form.clearFieldError(path)
  }, [path, reason])
}
