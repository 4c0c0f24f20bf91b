import { Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { BodyOf, Call, ReplyOf } from '#schema/kit/call'
import type { EditConflict } from '#schema/kit/edition'
import type { Fault } from '#schema/kit/fault'
import { sentValues } from '#schema/kit/values'
import { ApiError, isCancelled, isSessionEnd } from '../api.ts'
import { ask } from '../confirm.tsx'
import { Drawer } from '../dialog.tsx'
import { ErrorBar } from '../error-bar.tsx'
import { t } from '../i18n.ts'
import classes from '../kit.module.css'
import { useAction } from '../query.ts'
import { mayCall } from '../session.ts'
import { ConflictNote, FieldText } from './conflict-note.tsx'
import { DraftNote } from './draft-note.tsx'
import { secretNames, useDraft } from './drafts.ts'
import { changedNames, conflictOf, merged, same, theirsOf } from './edit-conflict.ts'
import { errorsOf } from './error-texts.ts'
import { FormBar } from './form-bar.tsx'
import { faultsOf } from './form-errors.ts'
import { FormField } from './form-fields.tsx'
import { columnsFor, DRAWER_PX, isWide } from './form-layout.ts'
import { beginsWith, type Field, type FormValues, isAsked, shownOfCall } from './form-model.ts'
import { declaredForm } from './forms.ts'
import { useUnsaved } from './unsaved.ts'

type Begun = { edition: string; values: FormValues; fixed: FormValues }
const NOBODY = { by: null, platform: false, at: null } as const

type Props<C extends Call> = {
  opened: boolean
  onClose: () => void
  title: string
  /** The verb on the button. */
  verb: string
  call: C
  /** In this order; just a name if the declaration is sufficient. */
  fields: readonly (Field | string)[]
  initial?: FormValues
  /** Edits an existing object: the button counts the changed fields, and without any there is nothing to save. */
  edits?: boolean
  /** The version of the row that the form shows; without it the last save wins. */
  edition?: string | undefined
  /** Values that the form does not show: a device's id. */
  fixed?: FormValues
  refreshes?: readonly Call[]
  success?: string
  onDone?: (reply: ReplyOf<C>, body: BodyOf<C>) => void
  /** Faults of fields that depend on each other, of the values that would be sent. */
  judge?: ((values: FormValues) => Readonly<Record<string, Fault>>) | undefined
  /** Before it is sent: whether the user still wants it. */
  confirm?: ((values: FormValues) => Promise<boolean>) | undefined
  /** Above the fields. */
  children?: ReactNode
}

/**
 * Creates or edits: one column of up to 12 fields, two of more where the window is wide enough. Inputs, bounds and choices are those of the call's declaration, checked on
 * blur and then live; a refusal that names a field is shown at it, any other above. Input is kept as a draft of this
 * call and its `fixed` values until it is saved or discarded; passwords and `secret` fields never are.
 */
export function FormDrawer<C extends Call>(props: Props<C>) {
  const { call } = props
  const declared = declaredForm(call)
  const fields = shownOfCall(props.fields, declared)
  // Of all fields, asked now or not: a choice must not change the width.
  const columns = columnsFor(fields)
  const shownNames = new Set(fields.map((field) => field.name))
  const empty = Object.fromEntries(fields.map((field) => [field.name, beginsWith(field)]))
  const name = `${call.name}${JSON.stringify(props.fixed ?? {})}`
  // The new starting point after another user has saved.
  const [theirs, setTheirs] = useState<Begun | null>(null)
  const [conflict, setConflict] = useState<EditConflict | null>(null)
  const [began, setBegan] = useState(props.edition)
  const fixed = { ...props.fixed, ...theirs?.fixed }
  const initial: FormValues = { ...empty, ...props.initial, ...theirs?.values }
  const action = useAction(call, {
    quiet: true,
    ...(props.refreshes ? { refreshes: props.refreshes } : {}),
    ...(props.success ? { success: props.success } : {}),
  })
  const [failure, setFailure] = useState<Error | null>(null)
  // A link opens the form for everybody: whoever may not save it learns that before they fill it in.
  const refused = mayCall(call) ? null : t('kit:noRight')
  /** For a nested field, its section's. */
  const labelOf = (path: string) => fields.find((field) => field.path === path.split('.')[0])?.label ?? path
  const form = useForm<FormValues>({
    initialValues: initial,
    validateInputOnBlur: true,
    validate: (values) => {
      const now = fields.filter((field) => isAsked(field, values))
      const askedNames = new Set(now.map((field) => field.name))
      const judged = declared.fields.filter(({ name: of }) => askedNames.has(of) || !shownNames.has(of))
      const faults = faultsOf(judged, now, { ...fixed, ...values })
      const between = props.judge?.(sentValues(declared.fields, values)) ?? {}
      const seen = Object.entries(between).filter(([path]) => askedNames.has(path))
      return errorsOf({ ...Object.fromEntries(seen), ...faults }, labelOf)
    },
  })
  // The edited row may have changed since the form was last open.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only opening starts again
  useEffect(() => {
    if (!props.opened || form.isDirty()) return
    form.setInitialValues(initial)
    form.setValues(initial)
    setBegan(props.edition)
  }, [props.opened])
  const draft = useDraft({
    name,
    opened: props.opened,
    values: form.values,
    initial,
    secrets: fields
      .filter(({ secret, declared: said }) => secret || (said && secretNames([said]).length > 0))
      .map((field) => field.name),
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
    setConflict(null)
    setTheirs(null)
    props.onClose()
  }
  /** From the first press to the answer: a second one comes before the button is drawn as busy. */
  const sending = useRef(false)
  // After the drawer has closed: emptying an open form would delete its draft.
  const wentBack = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only closing empties the form
  useEffect(() => {
    if (props.opened || !wentBack.current) return
    wentBack.current = false
    form.reset()
  }, [props.opened])
  /** Back does not ask: the draft stays, and is restored when the form opens again. */
  const leaveDraft = () => {
    // Nobody would see why it was refused, and the answer would close whatever form is open by then.
    if (sending.current) return
    wentBack.current = true
    // The drawer may be removed instead of closed.
    saved()
    setFailure(null)
    setConflict(null)
    setTheirs(null)
    props.onClose()
  }
  const close = async () => {
    // It is being sent: it cannot be discarded any more, and may be saved before the question is answered.
    if (sending.current) return
    if (
      !form.isDirty() ||
      (await ask({
        title: t('form:discardTitle'),
        text: t('form:discardText'),
        verb: t('form:discard'),
        danger: true,
      }))
    )
      leave()
  }
  /** The initial and the saved values: known from a refusal, or found when a draft is restored. */
  const sides = conflict
    ? { base: form.getInitialValues(), now: theirsOf(form.getInitialValues(), conflict.now), who: conflict }
    : draft.overtaken
      ? { base: { ...initial, ...draft.overtaken }, now: initial, who: NOBODY }
      : null
  const goOn = (values: FormValues) => {
    if (conflict) {
      const now = theirsOf(form.getInitialValues(), conflict.now)
      form.setInitialValues(now)
      setTheirs({ edition: conflict.edition, values: now, fixed: theirsOf(props.fixed ?? {}, conflict.now) })
    }
    form.setValues(values)
    setConflict(null)
    setFailure(null)
    draft.settle()
  }
  const asked = fields.filter((field) => isAsked(field, form.values))
  const changes = props.edits ? asked.filter((field) => form.isDirty(field.name)).length : undefined
  /** Scrolls to a field with an error, after it is rendered with it. */
  const lookAt = (name: string | undefined) =>
    requestAnimationFrame(() => {
      if (name !== undefined) form.getInputNode(name)?.focus()
    })
  /** Errors of values that the form does not show (a `fixed` value) would not be visible otherwise. */
  const sayHidden = (errors: Readonly<Record<string, ReactNode>>) => {
    const [hidden] = Object.entries(errors).filter(([path]) => !shownNames.has(path.split('.')[0] ?? ''))
    if (hidden) setFailure(new Error(String(hidden[1])))
    else lookAt(fields.find(({ name }) => name in errors)?.name)
  }
  const submit = form.onSubmit(async (values) => {
    if (changes === 0 || refused || sending.current) return
    sending.current = true
    setFailure(null)
    const edition = theirs?.edition ?? began
    // Values in `initial` without a field only decide which fields are shown.
    const asks = Object.fromEntries(fields.map((field) => [field.name, values[field.name]]))
    const sent = { ...fixed, ...asks, ...(edition ? { edition } : {}) }
    const body = sentValues(declared.fields, sent) as BodyOf<C>
    try {
      if (props.confirm && !(await props.confirm(values))) return
      const reply = await action.run(body)
      leave()
      props.onDone?.(reply, body)
    } catch (error) {
      if (isCancelled(error) || isSessionEnd(error)) return
      const other = conflictOf(error)
      if (other) return setConflict(other)
      const field = error instanceof ApiError ? error.field : undefined
      if (field && fields.some(({ name }) => name === field)) {
        form.setFieldError(field, (error as ApiError).message)
        lookAt(field)
      } else setFailure(error instanceof Error ? error : new Error(String(error)))
    } finally {
      sending.current = false
    }
  }, sayHidden)
  return (
    <Drawer
      opened={props.opened}
      onClose={() => void close()}
      onBack={leaveDraft}
      title={props.title}
      size={DRAWER_PX[columns]}
      classNames={{ content: classes['formDrawer'] ?? '', body: classes['formBody'] ?? '' }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" pb="md">
          <DraftNote at={draft.restoredAt} onDiscard={discard} />
          {refused ? <ErrorBar error={new Error(refused)} /> : null}
          {failure ? <ErrorBar error={failure} onRetry={() => submit()} /> : null}
          {sides ? (
            <ConflictNote
              who={sides.who}
              differences={fields
                .filter((field) => changedNames(sides.base, sides.now).includes(field.name))
                .map((field) => ({
                  name: field.name,
                  label: field.label,
                  theirs: <FieldText field={field} value={sides.now[field.name]} />,
                  mine: same(sides.base[field.name], form.values[field.name]) ? null : (
                    <FieldText field={field} value={form.values[field.name]} />
                  ),
                }))}
              onMine={() => goOn(merged(sides.base, sides.now, form.values))}
              onTheirs={() => {
                goOn(sides.now)
                draft.drop()
              }}
            />
          ) : null}
          {props.children}
          <div className={`${classes['formFields']} ${classes['lined']}`} data-columns={columns}>
            {asked.map((field) => (
              <div key={field.path} data-wide={isWide(field) || undefined}>
                <FormField field={field} form={form} />
              </div>
            ))}
          </div>
        </Stack>
        <FormBar
          verb={props.verb}
          busy={action.busy}
          held={action.busy}
          refused={refused}
          changes={changes}
          onCancel={() => void close()}
          onDiscard={discard}
        />
      </form>
    </Drawer>
  )
}
