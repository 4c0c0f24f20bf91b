import { Select, Stack } from '@mantine/core'
import type { useForm } from '@mantine/form'
import { type ReactNode, useState } from 'react'
import type { BodyOf, Call, ReplyOf } from '#schema/kit/call'
import { ask } from '../kit/confirm.tsx'
import { Drawer } from '../kit/dialog.tsx'
import { DraftNote } from '../kit/form/draft-note.tsx'
import { secretNames, useDraft } from '../kit/form/drafts.ts'
import { FormBar } from '../kit/form/form-bar.tsx'
import { declaredForm } from '../kit/form/forms.ts'
import { useUnsaved } from '../kit/form/unsaved.ts'
import { t } from '../kit/i18n.ts'
import classes from '../kit/kit.module.css'
import { queryClient } from '../kit/query.ts'
import { toast } from '../kit/toast.tsx'
import { useCustomerOptions } from '../people/people-options.ts'
import { uploadFault, useUpload } from './archive-upload-run.ts'
import { PackageFile, UploadProgress } from './package-file.tsx'

/** Only rendered for platform users, since other users may not list customers. */
export function CustomerSelect(props: object) {
  const data = [...useCustomerOptions()]
  return <Select {...props} label={t('package:field.customer')} withAsterisk searchable data={data} />
}

type Values = Record<string, string>
type Props<C extends Call, V extends Values> = {
  opened: boolean
  onClose: () => void
  title: string
  call: C
  form: Pick<
    ReturnType<typeof useForm<V>>,
    'values' | 'getValues' | 'isDirty' | 'onSubmit' | 'reset' | 'setFieldError' | 'setValues'
  >
  initial: V
  maxBytes: number
  hint: string
  /** What the name of the chosen file says about the fields; '' where it says nothing. */
  guess: (fileName: string) => Partial<V>
  bodyOf: (values: V, fileName: string) => BodyOf<C>
  /** The list that shows what was uploaded. */
  list: Call
  /** The message after the upload. */
  done: (reply: ReplyOf<C>) => string
  children: ReactNode
}

/** A drawer that uploads an archive with some fields. Closing it asks before input is lost or the upload stopped. */
export function ArchiveDrawer<C extends Call, V extends Values>(props: Props<C, V>) {
  const { opened, call, form } = props
  const [file, setFile] = useState<File | null>(null)
  const [fileError, setFileError] = useState<string | null>(null)
  /** Of the file before: what the user has not edited belongs to that file, not to the next. */
  const [guessed, setGuessed] = useState<Values>({})
  const sending = useUpload(call)
  const busy = sending.state !== null
  const draft = useDraft({
    name: call.name,
    opened,
    values: form.values,
    initial: props.initial,
    secrets: secretNames(declaredForm(call).fields),
    restore: (values) => form.setValues(values as V),
  })
  const saved = useUnsaved(call.name, opened && (file !== null || form.isDirty()))
  const discard = () => {
    form.reset()
    draft.drop()
  }
  const leave = () => {
    discard()
    saved()
    sending.forget()
    setFile(null)
    setFileError(null)
    setGuessed({})
    props.onClose()
  }
  const close = async () => {
    if (!file && !form.isDirty()) return leave()
    const sure = await ask({
      title: t(busy ? 'package:upload.stopTitle' : 'form:discardTitle'),
      text: t(busy ? 'package:upload.stopText' : 'form:discardText'),
      verb: t(busy ? 'package:upload.stop' : 'form:discard'),
      danger: true,
    })
    if (!sure) return
    sending.cancel()
    leave()
  }
  const choose = (chosen: File | null, refused: string | null) => {
    sending.forget()
    setFile(chosen)
    setFileError(refused)
    if (!chosen) return
    const next: Values = Object.fromEntries(
      Object.entries(props.guess(chosen.name)).filter(([name]) =>
        ['', guessed[name]].includes(form.getValues()[name]),
      ),
    )
    form.setValues(next as V)
    setGuessed(next)
  }
  const submit = form.onSubmit(async (values) => {
    // Why the chosen one was refused says more.
    if (!file) return setFileError(fileError ?? t('package:upload.noFile'))
    setFileError(null)
    try {
      const reply = await sending.run(props.bodyOf(values, file.name), file)
      void queryClient.invalidateQueries({ queryKey: [props.list.name] })
      void toast('success', props.done(reply))
      leave()
    } catch (error) {
      const fault = uploadFault(error, values)
      if (fault?.field) form.setFieldError(fault.field, fault.message)
      else if (fault) setFileError(fault.message)
    }
  })
  return (
    <Drawer
      opened={opened}
      onClose={() => void close()}
      title={props.title}
      classNames={{ content: classes['formDrawer'] ?? '', body: classes['formBody'] ?? '' }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" pb="md">
          <DraftNote at={draft.restoredAt} onDiscard={discard} />
          <PackageFile
            file={file}
            error={fileError}
            disabled={busy}
            maxBytes={props.maxBytes}
            hint={props.hint}
            onChoose={choose}
          />
          <UploadProgress sending={sending} sizeBytes={file?.size ?? 0} onAgain={() => submit()} />
          <fieldset disabled={busy} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
            <Stack gap="sm">{props.children}</Stack>
          </fieldset>
        </Stack>
        <FormBar
          verb={t('package:upload.verb')}
          busy={busy}
          changes={undefined}
          onCancel={() => void close()}
          onDiscard={discard}
        />
      </form>
    </Drawer>
  )
}
