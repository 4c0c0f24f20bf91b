import { Drawer, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type ReactNode, useEffect, useState } from 'react'
import type { BodyOf, Call, ReplyOf } from '#schema/kit/call'
import { ApiError, isCancelled, isSessionEnd } from './api.ts'
import { ask } from './confirm.tsx'
import { DraftNote } from './draft-note.tsx'
import { useDraft } from './drafts.ts'
import { ErrorBar } from './error-bar.tsx'
import { FormBar } from './form-bar.tsx'
import { declaredErrors, fieldErrors, withoutBlanks } from './form-errors.ts'
import { type Field, FormField, type FormValues } from './form-fields.tsx'
import { t } from './i18n.ts'
import classes from './kit.module.css'
import { useAction } from './query.ts'
import { bodyOf } from './schemas.ts'
import { useUnsaved } from './unsaved.ts'

const emptyOf = (kind: Field['kind']) =>
  kind === 'switch' ? false : kind === 'multi' || kind === 'tags' ? [] : ''

type Props<C extends Call> = {
  opened: boolean
  onClose: () => void
  title: string
  /** The verb on the button. */
  verb: string
  call: C
  fields: readonly Field[]
  initial?: FormValues
  /** Changes what is there already: the button counts the changed fields, and without any there is nothing to save. */
  edits?: boolean
  /** What the form does not ask: a device's id. */
  fixed?: FormValues
  refreshes?: readonly Call[]
  success?: string
  onDone?: (reply: ReplyOf<C>, body: BodyOf<C>) => void
  /** Above the fields. */
  children?: ReactNode
}

/**
 * Creates or edits with up to 12 fields: the fields are validated by the call's own schema, on blur and then live;
 * a refusal that names a field is shown at it, any other above. What was typed is kept as a draft of this call and its
 * `fixed` values until it is saved or discarded; passwords and `secret` fields never are.
 */
export function FormDrawer<C extends Call>(props: Props<C>) {
  const { call, fields, fixed = {} } = props
  const empty = Object.fromEntries(fields.map(({ name, kind }) => [name, emptyOf(kind)]))
  const initial: FormValues = { ...empty, ...props.initial }
  const name = `${call.name}${JSON.stringify(fixed)}`
  const action = useAction(call, {
    quiet: true,
    ...(props.refreshes ? { refreshes: props.refreshes } : {}),
    ...(props.success ? { success: props.success } : {}),
  })
  const [failure, setFailure] = useState<Error | null>(null)
  const form = useForm<FormValues>({
    initialValues: initial,
    validateInputOnBlur: true,
    validate: (values) => ({
      ...declaredErrors(
        fields.filter(({ when }) => when?.(values) ?? true),
        values,
      ),
      ...fieldErrors(bodyOf(call), { ...fixed, ...values }),
    }),
  })
  // What is edited may have changed since the form was last open.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only opening begins anew
  useEffect(() => {
    if (!props.opened || form.isDirty()) return
    form.setInitialValues(initial)
    form.setValues(initial)
  }, [props.opened])
  const draft = useDraft({
    name,
    opened: props.opened,
    values: form.values,
    initial,
    secrets: fields.filter(({ kind, secret }) => secret || kind === 'password').map((field) => field.name),
    restore: (values) => form.setValues(values),
  })
  const saved = useUnsaved(name, props.opened && form.isDirty())
  const discard = () => {
    form.reset()
    draft.drop()
    saved()
  }
  const leave = () => {
    discard()
    setFailure(null)
    props.onClose()
  }
  const close = async () => {
    if (
      !form.isDirty() ||
      (await ask({
        title: t('kit:form.discardTitle'),
        text: t('kit:form.discardText'),
        verb: t('kit:form.discard'),
        danger: true,
      }))
    )
      leave()
  }
  const asked = fields.filter(({ when }) => when?.(form.values) ?? true)
  const changes = props.edits ? asked.filter((field) => form.isDirty(field.name)).length : undefined
  /** A field at fault may be scrolled away; after it is drawn with its error. */
  const lookAt = (name: string | undefined) =>
    requestAnimationFrame(() => {
      if (name !== undefined) form.getInputNode(name)?.focus()
    })
  /** What is wrong with something that is not asked here (a `fixed` value) would else be said nowhere. */
  const sayHidden = (errors: Readonly<Record<string, ReactNode>>) => {
    const [hidden] = Object.entries(errors).filter(([name]) => !fields.some((field) => field.name === name))
    if (hidden) setFailure(new Error(`${hidden[0]}: ${hidden[1]}`))
    else lookAt(fields.find(({ name }) => name in errors)?.name)
  }
  const submit = form.onSubmit(async (values) => {
    if (changes === 0) return
    setFailure(null)
    const body = withoutBlanks({ ...fixed, ...values }) as BodyOf<C>
    try {
      const reply = await action.run(body)
      leave()
      props.onDone?.(reply, body)
    } catch (error) {
      if (isCancelled(error) || isSessionEnd(error)) return
      const field = error instanceof ApiError ? error.field : undefined
      if (field && fields.some(({ name }) => name === field)) {
        form.setFieldError(field, (error as ApiError).message)
        lookAt(field)
      } else setFailure(error instanceof Error ? error : new Error(String(error)))
    }
  }, sayHidden)
  return (
    <Drawer
      opened={props.opened}
      onClose={() => void close()}
      title={props.title}
      classNames={{ content: classes['formDrawer'] ?? '', body: classes['formBody'] ?? '' }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" pb="md">
          <DraftNote at={draft.restoredAt} onDiscard={discard} />
          {failure ? <ErrorBar error={failure} /> : null}
          {props.children}
          {asked.map((field) => (
            <FormField key={field.name} field={field} form={form} />
          ))}
        </Stack>
        <FormBar
          verb={props.verb}
          busy={action.busy}
          changes={changes}
          onCancel={() => void close()}
          onDiscard={discard}
        />
      </form>
    </Drawer>
  )
}
