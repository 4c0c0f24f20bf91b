import { Autocomplete, Group, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { getDeviceFacets } from '#schema/device/device'
import type { BodyOf } from '#schema/kit/call'
import { withoutBlanks } from '#schema/kit/values'
import { getCustomerList } from '#schema/people/customer'
import { isPlatformType } from '#schema/people/session'
import {
  getPackageList,
  PACKAGE_MAX_BYTES,
  packageTypes,
  uploadPackage,
  visibilities,
} from '#schema/task/package'
import { ask } from '../kit/confirm.tsx'
import { Drawer } from '../kit/dialog.tsx'
import { DraftNote } from '../kit/form/draft-note.tsx'
import { secretNames, useDraft } from '../kit/form/drafts.ts'
import { errorsOf } from '../kit/form/error-texts.ts'
import { FormBar } from '../kit/form/form-bar.tsx'
import { faultsOf } from '../kit/form/form-errors.ts'
import { declaredForm, declaredLabel } from '../kit/form/forms.ts'
import { useUnsaved } from '../kit/form/unsaved.ts'
import { bytes } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import classes from '../kit/kit.module.css'
import { me } from '../kit/me.ts'
import { queryClient, useCall } from '../kit/query.ts'
import { toast } from '../kit/toast.tsx'
import { uploadFault, useUpload } from './archive-upload-run.ts'
import { PackageFile, UploadProgress } from './package-file.tsx'
import { guess } from './package-guess.ts'

const empty = {
  name: '',
  version: '',
  model: '',
  type: 'upgrade',
  visibility: 'all',
  customerId: '',
  remark: '',
  signature: '',
}
type Values = typeof empty
const CUSTOMERS_MAX = 1000

/** A customer's user uploads for their customer; the server sets it, the form does not ask. */
const queryOf = (values: Values, fileName: string, platform: boolean) => {
  const { visibility, customerId, ...rest } = values
  const sharing = platform ? { visibility, ...(visibility === 'customer' ? { customerId } : {}) } : {}
  return withoutBlanks({ fileName, ...rest, ...sharing })
}

function CustomerSelect(props: object) {
  const customers = useCall(getCustomerList, { limit: CUSTOMERS_MAX })
  const data = (customers.data?.list ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  return <Select {...props} label={t('package:field.customer')} withAsterisk searchable data={data} />
}

export function PackageUpload({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const platform = isPlatformType(me().user.userType)
  const facets = useCall(getDeviceFacets, {}, { enabled: opened, staleMs: 30_000 })
  const models = (facets.data?.models ?? []).map(({ value }) => value)
  const [file, setFile] = useState<File | null>(null)
  const [fileError, setFileError] = useState<string | null>(null)
  const sending = useUpload(uploadPackage)
  const { fields } = declaredForm(uploadPackage)
  const form = useForm<Values>({
    initialValues: empty,
    validateInputOnBlur: true,
    validate: (values) => {
      const toOne = platform && values.visibility === 'customer'
      return errorsOf(
        faultsOf(fields, [{ name: 'customerId', required: toOne }], queryOf(values, 'a.tar.gz', platform)),
        (path) => declaredLabel(uploadPackage, path),
      )
    },
  })

  const draft = useDraft({
    name: uploadPackage.name,
    opened,
    values: form.values,
    initial: empty,
    secrets: secretNames(fields),
    restore: (values) => form.setValues(values),
  })
  const saved = useUnsaved(uploadPackage.name, opened && (file !== null || form.isDirty()))
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
    onClose()
  }
  const close = async () => {
    if (!file && !form.isDirty()) return leave()
    const busy = sending.state !== null
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
    const told = guess(chosen.name, models)
    for (const key of ['name', 'version', 'model'] as const)
      if (form.getValues()[key] === '' && told[key] !== '') form.setFieldValue(key, told[key])
  }
  const submit = form.onSubmit(async (values) => {
    if (!file) return setFileError(t('package:upload.noFile'))
    setFileError(null)
    try {
      const query = queryOf(values, file.name, platform) as BodyOf<typeof uploadPackage>
      const made = await sending.run(query, file)
      void queryClient.invalidateQueries({ queryKey: [getPackageList.name] })
      void toast('success', t('package:upload.done', { name: made.name, version: made.version }))
      leave()
    } catch (error) {
      const fault = uploadFault(error, values)
      if (fault?.field) form.setFieldError(fault.field, fault.message)
      else if (fault) setFileError(fault.message)
    }
  })
  const busy = sending.state !== null
  return (
    <Drawer
      opened={opened}
      onClose={() => void close()}
      title={t('package:upload.title')}
      classNames={{ content: classes['formDrawer'] ?? '', body: classes['formBody'] ?? '' }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" pb="md">
          <DraftNote at={draft.restoredAt} onDiscard={discard} />
          <PackageFile
            file={file}
            error={fileError}
            disabled={busy}
            maxBytes={PACKAGE_MAX_BYTES}
            hint={t('package:upload.dropHint', { max: bytes(PACKAGE_MAX_BYTES) })}
            onChoose={choose}
          />
          <UploadProgress sending={sending} sizeBytes={file?.size ?? 0} onAgain={() => submit()} />
          <fieldset disabled={busy} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
            <Stack gap="sm">
              <TextInput
                label={t('package:field.name')}
                withAsterisk
                autoComplete="off"
                {...form.getInputProps('name')}
              />
              <Group grow align="flex-start">
                <TextInput
                  label={t('package:field.version')}
                  description={t('package:upload.versionHint')}
                  withAsterisk
                  autoComplete="off"
                  {...form.getInputProps('version')}
                />
                <Autocomplete
                  label={t('package:field.model')}
                  description={t('package:upload.modelHint')}
                  withAsterisk
                  data={models}
                  {...form.getInputProps('model')}
                />
              </Group>
              <Select
                label={t('package:field.type')}
                description={t(`package:typeHint.${form.values.type as (typeof packageTypes)[number]}`)}
                allowDeselect={false}
                data={packageTypes.map((value) => ({ value, label: t(`package:type.${value}`) }))}
                {...form.getInputProps('type')}
              />
              {platform ? (
                <Select
                  label={t('package:field.visibility')}
                  allowDeselect={false}
                  data={visibilities.map((value) => ({ value, label: t(`package:visibility.${value}`) }))}
                  {...form.getInputProps('visibility')}
                />
              ) : null}
              {platform && form.values.visibility === 'customer' ? (
                <CustomerSelect {...form.getInputProps('customerId')} />
              ) : null}
              <Textarea
                label={t('package:field.remark')}
                autosize
                minRows={2}
                {...form.getInputProps('remark')}
              />
              <Textarea
                label={t('package:field.signature')}
                description={t('package:signing.hint')}
                autosize
                minRows={2}
                autoComplete="off"
                {...form.getInputProps('signature')}
              />
            </Stack>
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
