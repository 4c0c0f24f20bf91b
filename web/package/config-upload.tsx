import { Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { BodyOf } from '#schema/kit/call'
import { withoutBlanks } from '#schema/kit/values'
import { isPlatformType } from '#schema/people/session'
import { CONFIG_FILE_MAX_BYTES, getConfigFileList, uploadConfigFile } from '#schema/task/config-file'
import { Drawer } from '../kit/dialog.tsx'
import { errorsOf } from '../kit/form/error-texts.ts'
import { FormBar } from '../kit/form/form-bar.tsx'
import { faultsOf } from '../kit/form/form-errors.ts'
import { declaredForm, declaredLabel, declaredProps } from '../kit/form/forms.ts'
import { useUnsaved } from '../kit/form/unsaved.ts'
import { bytes } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import classes from '../kit/kit.module.css'
import { me } from '../kit/me.ts'
import { queryClient } from '../kit/query.ts'
import { toast } from '../kit/toast.tsx'
import { useCustomerOptions } from '../people/people-options.ts'
import { uploadFault, useUpload } from './archive-upload-run.ts'
import { PackageFile, UploadProgress } from './package-file.tsx'

const empty = { name: '', customerId: '', remark: '' }
const NAME_MAX = 64

function CustomerSelect(props: object) {
  const data = [...useCustomerOptions()]
  return <Select {...props} label={t('package:field.customer')} withAsterisk searchable data={data} />
}

/** A customer's user uploads for their customer; the server sets it, the form does not ask. */
export function ConfigUpload({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const platform = isPlatformType(me().user.userType)
  const [file, setFile] = useState<File | null>(null)
  const [fileError, setFileError] = useState<string | null>(null)
  const sending = useUpload(uploadConfigFile)
  const { fields } = declaredForm(uploadConfigFile)
  const queryOf = ({ customerId, ...rest }: typeof empty, fileName: string) =>
    withoutBlanks({ fileName, ...rest, ...(platform ? { customerId } : {}) })
  const form = useForm({
    initialValues: empty,
    validateInputOnBlur: true,
    validate: (values) =>
      errorsOf(
        faultsOf(fields, [{ name: 'customerId', required: platform }], queryOf(values, 'a.tar.gz')),
        (path) => declaredLabel(uploadConfigFile, path),
      ),
  })
  const busy = sending.state !== null
  const saved = useUnsaved(uploadConfigFile.name, opened && (file !== null || form.isDirty()))
  const leave = () => {
    sending.cancel()
    form.reset()
    saved()
    sending.forget()
    setFile(null)
    setFileError(null)
    onClose()
  }
  const choose = (chosen: File | null, refused: string | null) => {
    sending.forget()
    setFile(chosen)
    setFileError(refused)
    if (chosen && form.getValues().name === '')
      form.setFieldValue('name', chosen.name.replace(/\.tar\.gz$/i, '').slice(0, NAME_MAX))
  }
  const submit = form.onSubmit(async (values) => {
    if (!file) return setFileError(t('package:upload.noFile'))
    setFileError(null)
    try {
      const query = queryOf(values, file.name) as BodyOf<typeof uploadConfigFile>
      const { name } = await sending.run(query, file)
      void queryClient.invalidateQueries({ queryKey: [getConfigFileList.name] })
      void toast('success', t('config-file:upload.done', { name }))
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
      onClose={leave}
      title={t('config-file:upload.title')}
      classNames={{ content: classes['formDrawer'] ?? '', body: classes['formBody'] ?? '' }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" pb="md">
          <PackageFile
            file={file}
            error={fileError}
            disabled={busy}
            maxBytes={CONFIG_FILE_MAX_BYTES}
            hint={t('config-file:upload.dropHint', { max: bytes(CONFIG_FILE_MAX_BYTES) })}
            onChoose={choose}
          />
          <UploadProgress sending={sending} sizeBytes={file?.size ?? 0} onAgain={() => submit()} />
          <fieldset disabled={busy} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
            <Stack gap="sm">
              <TextInput
                {...declaredProps(uploadConfigFile, 'name')}
                withAsterisk
                autoComplete="off"
                {...form.getInputProps('name')}
              />
              {platform ? <CustomerSelect {...form.getInputProps('customerId')} /> : null}
              <Textarea
                {...declaredProps(uploadConfigFile, 'remark')}
                autosize
                minRows={2}
                {...form.getInputProps('remark')}
              />
            </Stack>
          </fieldset>
        </Stack>
        <FormBar
          verb={t('package:upload.verb')}
          busy={busy}
          changes={undefined}
          onCancel={leave}
          onDiscard={leave}
        />
      </form>
    </Drawer>
  )
}
