import { Autocomplete, Group, Select, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { getDeviceFacets } from '#schema/device/device'
import type { BodyOf } from '#schema/kit/call'
import { withoutBlanks } from '#schema/kit/values'
import { isPlatformType } from '#schema/people/session'
import {
  getPackageList,
  PACKAGE_MAX_BYTES,
  packageTypes,
  uploadPackage,
  visibilities,
} from '#schema/task/package'
import { packageTitle } from '#schema/task/package-title'
import { errorsOf } from '../kit/form/error-texts.ts'
import { faultsOf } from '../kit/form/form-errors.ts'
import { declaredForm, declaredLabel } from '../kit/form/forms.ts'
import { bytes } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { me } from '../kit/me.ts'
import { useCall } from '../kit/query.ts'
import { ArchiveDrawer, CustomerSelect } from './archive-drawer.tsx'
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

/** A customer's user uploads for their customer; the server sets it, the form does not ask. */
const queryOf = (values: Values, fileName: string, platform: boolean) => {
  const { visibility, customerId, ...rest } = values
  const sharing = platform ? { visibility, ...(visibility === 'customer' ? { customerId } : {}) } : {}
  return withoutBlanks({ fileName, ...rest, ...sharing })
}

export function PackageUpload({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const platform = isPlatformType(me().user.userType)
  const facets = useCall(getDeviceFacets, {}, { enabled: opened, staleMs: 30_000 })
  const models = (facets.data?.models ?? []).map(({ value }) => value)
  const form = useForm<Values>({
    initialValues: empty,
    validateInputOnBlur: true,
    validate: (values) => {
      const toOne = platform && values.visibility === 'customer'
      return errorsOf(
        faultsOf(
          declaredForm(uploadPackage).fields,
          [{ name: 'customerId', required: toOne }],
          queryOf(values, 'a.tar.gz', platform),
        ),
        (path) => declaredLabel(uploadPackage, path),
      )
    },
  })
  return (
    <ArchiveDrawer
      opened={opened}
      onClose={onClose}
      title={t('package:upload.title')}
      call={uploadPackage}
      form={form}
      initial={empty}
      maxBytes={PACKAGE_MAX_BYTES}
      hint={t('package:upload.dropHint', { max: bytes(PACKAGE_MAX_BYTES) })}
      guess={(fileName) => guess(fileName, models)}
      bodyOf={(values, fileName) => queryOf(values, fileName, platform) as BodyOf<typeof uploadPackage>}
      list={getPackageList}
      done={({ name, version }) => t('package:upload.done', { name: packageTitle(name, version) })}
    >
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
      <Textarea label={t('package:field.remark')} autosize minRows={2} {...form.getInputProps('remark')} />
      <Textarea
        label={t('package:field.signature')}
        description={t('package:signing.hint')}
        autosize
        minRows={2}
        autoComplete="off"
        {...form.getInputProps('signature')}
      />
    </ArchiveDrawer>
  )
}
