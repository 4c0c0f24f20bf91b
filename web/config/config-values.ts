/** The values of a page between its form and the server. */

import { partsOf, withOwnRows } from '#schema/config/row-ids'
import { isVariableText } from '#schema/config/template-stack'
import { holds } from '#schema/kit/condition'
import type { Fault } from '#schema/kit/fault'
import type { FormField } from '#schema/kit/field'
import { newFaults } from '#schema/kit/new-faults'
import { initialOf } from '#schema/kit/values'
import { faultsOf } from '../kit/form/form-errors.ts'
import type { FormValues } from '../kit/form/form-model.ts'

const isNumber = ({ input, options }: FormField) =>
  input === 'number' || (input === 'choice' && typeof options?.[0] === 'number')

/**
 * Inputs have texts for choices of numbers, and '' for an unset number. What a row or a section does not say, as it was kept
 * before its page had the field, takes the default; `gaps`: it stays out, and is each device's own [decisions/149].
 */
export function toInput(
  fields: readonly FormField[],
  values: Readonly<FormValues>,
  gaps = false,
): FormValues {
  const inside = (field: FormField, one: unknown) =>
    toInput(
      (field.fields ?? []).filter(
        ({ name, input }) => !gaps || input === 'hidden' || (one as FormValues)[name] !== undefined,
      ),
      one as FormValues,
      gaps,
    )
  return Object.fromEntries(
    fields.map((field) => {
      const value = values[field.name] === undefined ? initialOf(field) : values[field.name]
      if (field.input === 'fields') return [field.name, inside(field, value ?? {})]
      if (field.input === 'rows' && Array.isArray(value))
        return [field.name, value.map((row) => inside(field, row))]
      if (field.input === 'choice' && typeof value === 'number') return [field.name, String(value)]
      return [field.name, value ?? '']
    }),
  )
}

/** Whether the field is shown, or may be: values that are left out or come from a variable depend on the device. */
export const mayBeAsked = ({ when = {} }: FormField, values: Readonly<FormValues>): boolean =>
  Object.entries(when).every(([name, allowed]) => {
    const value = values[name]
    return value === undefined || isVariableText(value) || holds({ [name]: allowed }, values)
  })

/**
 * Unlike other forms a page also sends blanks: an emptied field removes the option. Fields that are not shown are not
 * sent, nor those that are left out, and stay on the device as they are.
 */
export function toServer(fields: readonly FormField[], values: Readonly<FormValues>): FormValues {
  return Object.fromEntries(
    fields.flatMap((field): [string, unknown][] => {
      const value = values[field.name]
      if (value === undefined || !mayBeAsked(field, values)) return []
      if (field.input === 'fields')
        return [[field.name, toServer(field.fields ?? [], (value ?? {}) as FormValues)]]
      if (field.input === 'rows' && Array.isArray(value))
        return [[field.name, value.map((row: FormValues) => toServer(field.fields ?? [], row))]]
      if (!isNumber(field) || isVariableText(value)) return [[field.name, value ?? '']]
      return [[field.name, value === '' || value === null ? null : Number(value)]]
    }),
  )
}

/** The faults of what is edited. What the device runs already does not keep the rest of its page from being saved. */
export function faultsOfEdit(
  fields: readonly FormField[],
  values: Readonly<FormValues>,
  running: Readonly<FormValues>,
): Record<string, Fault> {
  const found = (of: Readonly<FormValues>) => ({
    values: of,
    faults: Object.entries(faultsOf(fields, [], of)).map(([path, fault]) => ({ path, fault })),
  })
  const fresh = newFaults(
    found(values),
    () => found(running),
    ({ fault }) => JSON.stringify(fault),
  )
  return Object.fromEntries(fresh.map(({ path, fault }) => [path, fault]))
}

type Shown = { readonly edition: string; readonly values: Readonly<FormValues> }

/**
 * Edits of an earlier form, in the rows that the page shows now: if these are others, each row is at the one that it is,
 * instead of the one that has its number.
 */
export const onShownRows = (
  fields: readonly FormField[],
  mine: FormValues,
  before: Shown,
  now: Shown,
): FormValues =>
  partsOf(before.edition).lists === partsOf(now.edition).lists
    ? mine
    : withOwnRows(fields, mine, toInput(fields, now.values))
