import { Button, Group, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useLayoutEffect, useState } from 'react'
import { checkField } from '#schema/kit/check'
import type { EditConflict } from '#schema/kit/edition'
import { type UserProfile, updateUser } from '#schema/people/profile'
import { ApiError, isSessionEnd } from '../kit/api.ts'
import { ConflictNote } from '../kit/form/conflict-note.tsx'
import { changedNames, conflictOf, merged, same, theirsOf } from '../kit/form/edit-conflict.ts'
import { boundsOf, declaredField, declaredLabel } from '../kit/form/forms.ts'
import { UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { me, renewMe } from '../kit/me.ts'
import { reportError, useAction } from '../kit/query.ts'
import { imageIdOf, pictureField } from './picture-field.tsx'

const Picture = pictureField('avatar')
/** The same rules as on the server, checked before sending. */
const isGood = (name: 'user_tel' | 'user_qq', value: string) =>
  checkField(declaredField(updateUser, name), value) === null

const labelOf = (name: string) => declaredLabel(updateUser, name)

type Props = {
  /** Leads back to the view. */
  onDone: () => void
  /** Whether something would be lost. */
  onDirty: (dirty: boolean) => void
}

/** [§4 Edit profile] view → edit → saved. */
export function ProfileEdit({ onDone, onDirty }: Props) {
  const { user } = me()
  const action = useAction(updateUser, { quiet: true, success: t('profile:saved') })
  const form = useForm({
    initialValues: {
      nickname: user.nickname ?? '',
      realname: user.realname ?? '',
      user_sex: String(user.user_sex ?? 0),
      user_tel: user.user_tel ?? '',
      user_qq: user.user_qq ?? '',
      user_addr: user.user_addr ?? '',
      user_icon: imageIdOf(user.user_icon),
    },
    validateInputOnBlur: true,
    validate: {
      user_tel: (value) => (isGood('user_tel', value) ? null : t('profile:phoneWrong')),
      user_qq: (value) => (isGood('user_qq', value) ? null : t('profile:qqWrong')),
    },
  })
  const dirty = form.isDirty()
  // Before the next key: an Escape that follows at once must find it.
  useLayoutEffect(() => onDirty(dirty), [dirty, onDirty])
  const [edition, setEdition] = useState(user.edition)
  const [conflict, setConflict] = useState<EditConflict | null>(null)
  const began = form.getInitialValues()
  const theirs = theirsOf(began, conflict?.now ?? {}) as typeof began
  const goOn = (values: typeof began) => {
    setEdition(conflict?.edition ?? edition)
    setConflict(null)
    form.setInitialValues(theirs)
    form.setValues(values)
  }
  const shown = (name: string, value: unknown) =>
    name === 'user_icon'
      ? t('form:conflict.changed')
      : name === 'user_sex'
        ? t(`profile:sexes.${value === '1' || value === '2' ? value : '0'}`)
        : String(value) || UNKNOWN
  const save = form.onSubmit(async (values) => {
    try {
      await action.run({
        ...values,
        user_sex: Number(values.user_sex),
        user_icon: values.user_icon === '' ? null : values.user_icon,
        edition,
      } satisfies UserProfile)
      // Saved, also if that cannot be read again: what is shown then is of before.
      await renewMe().catch(reportError)
      onDone()
    } catch (error) {
      if (isSessionEnd(error)) return
      const other = conflictOf(error)
      if (other) return setConflict(other)
      if (error instanceof ApiError && error.field) form.setFieldError(error.field, error.message)
      else reportError(error)
    }
  })
  const text = (name: 'nickname' | 'realname' | 'user_tel' | 'user_qq') => (
    <TextInput label={labelOf(name)} {...boundsOf(updateUser, name)} {...form.getInputProps(name)} />
  )
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm">
        {conflict ? (
          <ConflictNote
            who={conflict}
            differences={changedNames(began, theirs).map((name) => ({
              name,
              label: labelOf(name),
              theirs: shown(name, theirs[name as keyof typeof theirs]),
              mine: same(began[name as keyof typeof began], form.values[name as keyof typeof began])
                ? null
                : shown(name, form.values[name as keyof typeof began]),
            }))}
            onMine={() => goOn(merged(began, theirs, form.values) as typeof began)}
            onTheirs={() => goOn(theirs)}
          />
        ) : null}
        <Picture
          name="user_icon"
          hint={undefined}
          required={false}
          values={form.values}
          label={labelOf('user_icon')}
          error={form.errors['user_icon']}
          value={form.values.user_icon}
          set={(value) => form.setFieldValue('user_icon', String(value))}
        />
        {text('nickname')}
        {text('realname')}
        <Select
          label={labelOf('user_sex')}
          allowDeselect={false}
          data={(['0', '1', '2'] as const).map((value) => ({ value, label: t(`profile:sexes.${value}`) }))}
          {...form.getInputProps('user_sex')}
        />
        {text('user_tel')}
        {text('user_qq')}
        <Textarea
          label={labelOf('user_addr')}
          {...boundsOf(updateUser, 'user_addr')}
          autosize
          minRows={2}
          {...form.getInputProps('user_addr')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {t('kit:cancel')}
          </Button>
          <Button type="submit" loading={action.busy}>
            {t('profile:save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
