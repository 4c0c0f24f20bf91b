import {
  MultiSelect,
  NumberInput,
  PasswordInput,
  Select,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import type { Key } from '#schema/kit/words.gen'
import { t } from '../i18n.ts'
import { FindField } from '../list/find-field.tsx'
import type { Option } from '../list/list-types.ts'

export type FormValues = Record<string, unknown>

/** As much of Mantine's form as a field needs, whatever validates it. */
export type BoundForm = Pick<
  ReturnType<typeof useForm<FormValues>>,
  'getInputProps' | 'values' | 'setFieldValue'
>

export type Field = {
  name: string
  label: Key
  kind?:
    | 'text'
    | 'textarea'
    | 'number'
    | 'password'
    | 'select'
    | 'find'
    | 'multi'
    | 'tags'
    | 'switch'
    | 'time'
    | 'moment'
  required?: boolean
  hint?: Key
  placeholder?: string
  /** For `select` and `multi`; a hook, it may read calls. Values of `multi` are lists of strings. */
  useOptions?: () => readonly Option[]
  /** For `find`: one of many, asked from the server as one types; `known` is the present choice. */
  useFound?: (search: string) => readonly Option[]
  known?: Option | undefined
  /** For `select` and `find`: lists that another choice here empties, whether they are asked now or not. */
  empties?: readonly string[]
  /** Asked only while this holds. */
  when?: (values: FormValues) => boolean
  min?: number
  max?: number
  /** What its values are called, for reading; where `useOptions` and `useFound` do not say it. */
  useNames?: () => readonly Option[]
  /** Draws the field where no kind fits, or where its choices depend on other values. May use hooks. */
  Draw?: (drawn: Drawn) => ReactNode
  /** Never kept in a draft; passwords never are. */
  secret?: boolean
}

export type Drawn = {
  /** For `data-path` of the input, by which a field at fault is found. */
  name: string
  label: string
  hint: string | undefined
  required: boolean
  value: unknown
  error: ReactNode
  set: (value: unknown) => void
  /** What the other fields hold. */
  values: FormValues
}

const noOptions = (): readonly Option[] => []

/** One declared field, bound to the form. */
export function FormField({ field, form }: { field: Field; form: BoundForm }) {
  const options = (field.useOptions ?? noOptions)()
  const shown = {
    label: t(field.label),
    description: field.hint ? t(field.hint) : undefined,
    placeholder: field.placeholder,
    withAsterisk: field.required ?? false,
  }
  if (field.Draw) {
    const { Draw } = field
    return (
      <Draw
        name={field.name}
        label={shown.label}
        hint={shown.description}
        required={shown.withAsterisk}
        value={form.values[field.name]}
        error={form.getInputProps(field.name).error}
        set={(value) => form.setFieldValue(field.name, value)}
        values={form.values}
      />
    )
  }
  const { empties } = field
  const choice = {
    ...form.getInputProps(field.name),
    ...(empties
      ? {
          onChange: (value: string | null) => {
            form.setFieldValue(field.name, value)
            if (value !== form.values[field.name]) for (const list of empties) form.setFieldValue(list, [])
          },
        }
      : {}),
  }
  switch (field.kind) {
    case 'select':
      return (
        <Select
          {...shown}
          data={[...options]}
          searchable={options.length > 8}
          clearable={!shown.withAsterisk}
          nothingFoundMessage={t('kit:list.noMatch')}
          {...choice}
        />
      )
    case 'find':
      return <FindField {...shown} useFound={field.useFound ?? noOptions} known={field.known} {...choice} />
    case 'multi':
      return (
        <MultiSelect
          {...shown}
          data={[...options]}
          searchable
          clearable
          hidePickedOptions
          nothingFoundMessage={t('kit:list.noMatch')}
          {...form.getInputProps(field.name)}
        />
      )
    case 'tags':
      return <TagsInput {...shown} clearable {...form.getInputProps(field.name)} />
    // The browser's own pickers: in the user's language, with keyboard, and for nothing.
    case 'time':
      return <TextInput {...shown} type="time" {...form.getInputProps(field.name)} />
    case 'moment':
      return <TextInput {...shown} type="datetime-local" {...form.getInputProps(field.name)} />
    case 'number':
      return (
        // What is out of bounds is said, not silently changed to something that nobody entered.
        <NumberInput
          {...shown}
          clampBehavior="none"
          min={field.min}
          max={field.max}
          {...form.getInputProps(field.name)}
        />
      )
    case 'textarea':
      return <Textarea {...shown} autosize minRows={3} {...form.getInputProps(field.name)} />
    case 'password':
      return <PasswordInput {...shown} autoComplete="new-password" {...form.getInputProps(field.name)} />
    case 'switch':
      return (
        <Switch
          label={shown.label}
          description={shown.description}
          {...form.getInputProps(field.name, { type: 'checkbox' })}
        />
      )
    default:
      return <TextInput {...shown} autoComplete="off" {...form.getInputProps(field.name)} />
  }
}
