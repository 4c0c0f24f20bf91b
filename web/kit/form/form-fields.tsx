/** One field of a form, rendered as declared and configured by its page. */
import {
  Fieldset,
  MultiSelect,
  NumberInput,
  PasswordInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { useForm } from '@mantine/form'
import { useContext } from 'react'
import { unitBeside } from '#schema/kit/unit'
import { t } from '../i18n.ts'
import { OPTIONS_DRAWN } from '../light/quiet-select.tsx'
import { FindField } from '../list/find-field.tsx'
import type { Option } from '../list/list-types.ts'
import { ClockField, DateField, instantOf, localOf, MomentField } from './date-field.tsx'
import { type FormValues, isAsked, type ShownField } from './form-model.ts'
import { FormRows } from './form-rows.tsx'
import { NameField } from './name-field.tsx'
import { pills } from './pills.ts'
import { StandInContext } from './stand-in.ts'

/** The part of Mantine's form that a field needs, independent of validation. */
export type BoundForm = Pick<
  ReturnType<typeof useForm<FormValues>>,
  'getInputProps' | 'values' | 'setFieldValue'
>

type Props = { field: ShownField; form: BoundForm }

const noOptions = (): readonly Option[] => []

/** Changing a choice clears what depends on it: lists, and single choices. */
function choiceProps({ path, empties }: ShownField, form: BoundForm) {
  const props = form.getInputProps(path)
  if (!empties) return props
  return {
    ...props,
    onChange: (value: string | null) => {
      form.setFieldValue(path, value)
      if (value === props.value) return
      for (const name of empties) form.setFieldValue(name, typeof form.values[name] === 'string' ? '' : [])
    },
  }
}

/** Some lists have an option whose value is empty. */
const isEmpty = (value: unknown, data: readonly Option[]) =>
  value === null || value === undefined || (value === '' && !data.some((option) => option.value === ''))

/** Fields below each other; those that do not apply are left out. */
export function FormFields({
  fields,
  form,
  values,
}: {
  fields: readonly ShownField[]
  form: BoundForm
  /** The values of the sibling fields: of the form, of its section or of its row. */
  values: FormValues
}) {
  const { asks } = useContext(StandInContext)
  return fields
    .filter((field) => isAsked(field, values) || asks(field, values))
    .map((field) => <FormField key={field.path} field={field} form={form} />)
}

export function FormField({ field, form }: Props) {
  const options = (field.useOptions ?? noOptions)()
  const { path, label, declared, Draw } = field
  const input = form.getInputProps(path)
  const { draw } = useContext(StandInContext)
  const fixed = declared?.fixed === true
  const shown = {
    label,
    description: field.hint,
    placeholder: field.placeholder,
    withAsterisk: field.required && !fixed,
    ...(fixed ? { readOnly: true, variant: 'filled' } : {}),
  }
  const instead = draw(field, {
    value: input.value,
    error: input.error,
    set: (value) => form.setFieldValue(path, value),
  })
  if (instead) return instead
  if (Draw)
    return (
      <Draw
        name={path}
        label={label}
        hint={field.hint}
        required={field.required}
        value={input.value}
        error={input.error}
        set={(value) => form.setFieldValue(path, value)}
        values={form.values}
      />
    )
  if (declared?.refersTo)
    return (
      <NameField
        refersTo={declared.refersTo}
        many={field.input === 'tags'}
        classNames={pills}
        input={{ ...shown, ...input }}
      />
    )
  switch (field.input) {
    case 'choice': {
      const data = field.useOptions ? options : (field.options ?? [])
      return (
        <Select
          {...shown}
          data={[...data]}
          searchable={data.length > 8}
          limit={OPTIONS_DRAWN}
          clearable={!field.required && declared?.initial === undefined}
          allowDeselect={!field.required && declared?.initial === undefined}
          nothingFoundMessage={t('list:noMatch')}
          {...(fixed ? { rightSection: null } : {})}
          {...choiceProps(field, form)}
          // An empty one has nothing to clear, and no button for it.
          value={isEmpty(input.value, data) ? null : String(input.value)}
        />
      )
    }
    case 'find':
      return (
        <FindField
          {...shown}
          useFound={field.useFound ?? noOptions}
          known={field.known}
          {...choiceProps(field, form)}
        />
      )
    case 'choices':
      return (
        <MultiSelect
          {...shown}
          data={[...(field.useOptions ? options : (field.options ?? []))]}
          searchable
          limit={OPTIONS_DRAWN}
          clearable
          hidePickedOptions
          classNames={pills}
          nothingFoundMessage={t('list:noMatch')}
          {...input}
        />
      )
    case 'tags':
      return <TagsInput {...shown} clearable classNames={pills} {...input} />
    case 'time':
      return <ClockField {...shown} clearable={!field.required} {...input} value={input.value ?? ''} />
    case 'date':
      return <DateField {...shown} clearable={!field.required} {...input} value={input.value ?? ''} />
    case 'moment':
      return (
        <MomentField
          {...shown}
          clearable={!field.required}
          {...input}
          value={localOf(input.value)}
          onChange={(local) => input.onChange(instantOf(local))}
        />
      )
    case 'number':
      return (
        // A value out of bounds is reported, not silently changed.
        <NumberInput
          {...shown}
          clampBehavior="none"
          allowDecimal={!declared?.whole}
          {...(field.unit
            ? { placeholder: field.unit, suffix: ` ${unitBeside(field.unit, input.value)}` }
            : {})}
          {...boundsOf(field)}
          {...input}
        />
      )
    case 'area':
      return <Textarea {...shown} autosize minRows={3} {...input} />
    case 'password':
      return <PasswordInput {...shown} autoComplete="new-password" {...input} />
    case 'switch':
      return (
        <Switch
          label={label}
          description={shown.description}
          disabled={fixed}
          {...form.getInputProps(path, { type: 'checkbox' })}
        />
      )
    case 'fields':
      return (
        <Fieldset legend={label}>
          <Stack gap="sm" data-fields>
            <FormFields fields={field.fields} form={form} values={(input.value ?? {}) as FormValues} />
          </Stack>
        </Fieldset>
      )
    case 'rows':
      return (
        <FormRows
          field={field}
          value={input.value}
          error={input.error}
          errorOf={(row) => form.getInputProps(`${path}.${row}`).error}
          put={(rows) => form.setFieldValue(path, rows)}
          draw={(fields, row) => <FormFields fields={fields} form={form} values={row} />}
        />
      )
    case 'hex':
      return (
        <TextInput
          {...shown}
          autoComplete="off"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          spellCheck={false}
          {...input}
        />
      )
    default:
      return <TextInput {...shown} autoComplete="off" {...input} />
  }
}

function boundsOf({ min, max, declared }: ShownField) {
  const [least, most] = [min ?? declared?.min, max ?? declared?.max]
  return { ...(least === undefined ? {} : { min: least }), ...(most === undefined ? {} : { max: most }) }
}
