/** The values of a page between its form and the server. */
import { holds } from '#schema/kit/condition'
import type { FormField } from '#schema/kit/field'
import { initialOf } from '#schema/kit/values'
import type { FormValues } from '../kit/form/form-model.ts'

const isNumber = ({ input, options }: FormField) =>
  input === 'number' || (input === 'choice' && typeof options?.[0] === 'number')

/**
 * Inputs have texts for choices of numbers, and '' for an unset number. A row that was kept before its page had a field
 * has the default of this field.
 */
export function toInput(fields: readonly FormField[], values: Readonly<FormValues>): FormValues {
  return Object.fromEntries(
    fields.map((field) => {
      const value = values[field.name] === undefined ? initialOf(field) : values[field.name]
      if (field.input === 'fields')
        return [field.name, toInput(field.fields ?? [], (value ?? {}) as FormValues)]
      if (field.input === 'rows' && Array.isArray(value))
        return [field.name, value.map((row: FormValues) => toInput(field.fields ?? [], row))]
      if (field.input === 'choice' && typeof value === 'number') return [field.name, String(value)]
      return [field.name, value ?? '']
    }),
  )
}

/**
 * Unlike other forms a page also sends blanks: an emptied field removes the option. Fields that are not shown are not
 * sent, and stay on the device as they are.
 */
export function toServer(fields: readonly FormField[], values: Readonly<FormValues>): FormValues {
  return Object.fromEntries(
    fields.flatMap((field): [string, unknown][] => {
      if (field.when && !holds(field.when, values)) return []
      const value = values[field.name]
      if (field.input === 'fields')
        return [[field.name, toServer(field.fields ?? [], (value ?? {}) as FormValues)]]
      if (field.input === 'rows' && Array.isArray(value))
        return [[field.name, value.map((row: FormValues) => toServer(field.fields ?? [], row))]]
      if (!isNumber(field)) return [[field.name, value ?? '']]
      return [[field.name, value === '' || value === null || value === undefined ? null : Number(value)]]
    }),
  )
}
