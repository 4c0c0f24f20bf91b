/** Passwords and keys of a page leave the server only as a mask; the mask sent back means "as it is". */
import type { FormField } from '../kit/field.ts'
import { SECRET_MASK } from '../kit/secret-mask.ts'
import { ROW_ID } from './bind-rows.ts'

type Values = Readonly<Record<string, unknown>>

const each = (
  fields: readonly FormField[],
  values: Values,
  known: Values | undefined,
  change: (value: unknown, known: unknown) => unknown,
): Record<string, unknown> => {
  const byName = new Map(fields.map((field) => [field.name, field]))
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = byName.get(name)
      const before = known?.[name]
      if (field?.secret) return [name, change(value, before)]
      if (field?.input === 'fields' && value !== null && typeof value === 'object')
        return [name, each(field.fields ?? [], value as Values, before as Values | undefined, change)]
      if (field?.input === 'rows' && Array.isArray(value))
        return [name, value.map((row: Values) => each(field.fields ?? [], row, rowLike(row, before), change))]
      return [name, value]
    }),
  )
}

/** The same row before: found by its id, because rows can be moved. */
const rowLike = (row: Values, before: unknown): Values | undefined =>
  Array.isArray(before) ? before.find((one: Values) => one[ROW_ID] === row[ROW_ID] && row[ROW_ID]) : undefined

/** An empty secret stays empty: it says that none is set. `isOpen`: what may be shown in the place of one. */
export const maskValues = (
  fields: readonly FormField[],
  values: Values,
  isOpen: (value: unknown) => boolean = () => false,
): Record<string, unknown> =>
  each(fields, values, undefined, (value) =>
    value === '' || value === null || isOpen(value) ? value : SECRET_MASK,
  )

/** With the known secrets in place of their masks. */
export const unmaskValues = (
  fields: readonly FormField[],
  values: Values,
  known: Values,
): Record<string, unknown> =>
  each(fields, values, known, (value, before) => (value === SECRET_MASK ? (before ?? '') : value))

/** The path of the first mask with no known secret behind it, which would become an empty one; null: none. */
export function bareMask(
  fields: readonly FormField[],
  values: Values,
  known: Values | undefined,
  prefix = '',
): string | null {
  for (const { name, secret, input, fields: inner = [] } of fields) {
    const [value, before] = [values[name], known?.[name]]
    const path = `${prefix}${name}`
    if (secret && value === SECRET_MASK && !before) return path
    const rows =
      input === 'rows' && Array.isArray(value)
        ? value.map((row: Values, i) => bareMask(inner, row, rowLike(row, before), `${path}.${i}.`))
        : input === 'fields' && value !== null && typeof value === 'object'
          ? [bareMask(inner, value as Values, before as Values | undefined, `${path}.`)]
          : []
    const found = rows.find((one) => one !== null)
    if (found) return found
  }
  return null
}
