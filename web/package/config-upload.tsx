import { Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { BodyOf } from '#schema/kit/call'
import { cutText } from '#schema/kit/cut-text'
import { withoutBlanks } from '#schema/kit/values'
import { isPlatformType } from '#schema/people/session'
import { CONFIG_FILE_MAX_BYTES, getConfigFileList, uploadConfigFile } from '#schema/task/config-file'
import { errorsOf } from '../kit/form/error-texts.ts'
import { faultsOf } from '../kit/form/form-errors.ts'
import { declaredForm, declaredLabel, declaredProps } from '../kit/form/forms.ts'
import { bytes } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { me } from '../kit/me.ts'
import { ArchiveDrawer, CustomerSelect } from './archive-drawer.tsx'

const empty = { name: '', customerId: '', remark: '' }
const NAME_MAX = 64

/** A customer's user uploads for their customer; the server sets it, the form does not ask. */
export function ConfigUpload({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const platform = isPlatformType(me().user.userType)
  const bodyOf = ({ customerId, ...rest }: typeof empty, fileName: string) =>
    withoutBlanks({ fileName, ...rest, ...(platform ? { customerId } : {}) })
  const form = useForm({
    initialValues: empty,
    validateInputOnBlur: true,
    validate: (values) =>
      errorsOf(
        faultsOf(
          declaredForm(uploadConfigFile).fields,
          [{ name: 'customerId', required: platform }],
          bodyOf(values, 'a.tar.gz'),
        ),
        (path) => declaredLabel(uploadConfigFile, path),
      ),
  })
  return (
    <ArchiveDrawer
      opened={opened}
      onClose={onClose}
      title={t('config-file:upload.title')}
      call={uploadConfigFile}
      form={form}
      initial={empty}
      maxBytes={CONFIG_FILE_MAX_BYTES}
      hint={t('config-file:upload.dropHint', { max: bytes(CONFIG_FILE_MAX_BYTES) })}
      guess={(fileName) => ({ name: cutText(fileName.replace(/\.tar\.gz$/i, ''), NAME_MAX) })}
      bodyOf={(values, fileName) => bodyOf(values, fileName) as BodyOf<typeof uploadConfigFile>}
      list={getConfigFileList}
      done={({ name }) => t('config-file:upload.done', { name })}
    >
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
    </ArchiveDrawer>
  )
}
