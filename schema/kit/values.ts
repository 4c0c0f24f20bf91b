/** Converts input values to what a declaration requires. */
import { holds } from './condition.ts'
import type { FormField } from './field.ts'

type Values = Readonly<Record<string, unknown>>

/** Empty inputs are absent, not empty texts: an optional field may be left blank. */
export const withoutBlanks = (values: Values): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== null))

const isNumeric = ({ input, options }: FormField) =>
  input === 'number' || (input === 'choice' && typeof options?.[0] === 'number')

/** Inputs contain text where the declaration has a number. */
function sent(field: FormField, value: unknown): unknown {
  if (field.input === 'rows' && Array.isArray(value))
    return value.map((row) => sentValues(field.fields ?? [], row as Values))
  if (field.input === 'fields') return sentValues(field.fields ?? [], (value ?? {}) as Values)
  if (field.items && Array.isArray(value)) return value.map((entry) => sent(field.items as FormField, entry))
  return isNumeric(field) && typeof value === 'string' && value.trim() !== '' ? Number(value) : value
}

/**
 * The values to send: without blank or hidden fields, numbers as numbers. A blank number that may be null is null: in an edit,
 * absent would mean that it stays. Values without a field are unchanged.
 */
export function sentValues(fields: readonly FormField[], values: Values): Record<string, unknown> {
  const byName = new Map(fields.map((field) => [field.name, field]))
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const field = byName.get(name)
      if (field?.when && !holds(field.when, values)) return []
      if (value === '' || value === null) return field?.nullable ? [[name, null]] : []
      return [[name, field ? sent(field, value) : value]]
    }),
  )
}

/** The values without the fields that are not shown with them, at any depth. */
export function shownValues(fields: readonly FormField[], values: Values): Record<string, unknown> {
  const byName = new Map(fields.map((field) => [field.name, field]))
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const field = byName.get(name)
      if (field?.when && !holds(field.when, values)) return []
      const inside = (one: unknown) => shownValues(field?.fields ?? [], one as Values)
      if (field?.input === 'rows' && Array.isArray(value)) return [[name, value.map(inside)]]
      return [[name, field?.input === 'fields' && value ? inside(value) : value]]
    }),
  )
}

/** The initial value of an input: its default, else empty. */
export const initialOf = ({ initial, input, fields = [] }: FormField): unknown => {
  // A default of 0 or 1 is a switch's off or on.
  if (input === 'switch') return Boolean(initial)
  if (initial !== undefined) return initial
  if (input === 'choices' || input === 'tags' || input === 'rows') return []
  return input === 'fields' ? initialValues(fields) : ''
}

export const initialValues = (fields: readonly FormField[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field.name, initialOf(field)]))
