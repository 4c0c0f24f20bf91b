/**
 * Values of a page for another device than the one they were made for: its rows name sections of that device, so they
 * are matched with this device's own.
 */
import type { FormField } from '../kit/field.ts'
import { ROW_ID } from './bind-rows.ts'

type Values = Readonly<Record<string, unknown>>
type Row = Values

/** Sections without a name are numbered by their place, which says nothing on another device. */
const isPlace = (id: unknown) => typeof id !== 'string' || id === '' || /^[@+]/.test(id)

/** In what a row says: one that was kept before its page had a field does not say it, nor what its form did not show. */
const saysOf = (row: Row, one: Row) =>
  Object.entries(row).every(
    ([name, value]) => name === ROW_ID || JSON.stringify(value) === JSON.stringify(one[name]),
  )

function matched(fields: readonly FormField[], rows: readonly Row[], own: readonly Row[]): Row[] {
  const free = new Set(own)
  const take = (fits: (one: Row) => boolean): string => {
    const found = [...free].find(fits)
    if (found === undefined) return ''
    free.delete(found)
    return String(found[ROW_ID])
  }
  const named = rows.map((row) => (isPlace(row[ROW_ID]) ? '' : take((one) => one[ROW_ID] === row[ROW_ID])))
  const same = rows.map((row, i) => named[i] || take((one) => saysOf(row, one)))
  return rows.map((row, i) => {
    const id = same[i] || (row['name'] ? take((one) => one['name'] === row['name']) : '')
    const before = own.find((one) => one[ROW_ID] === id)
    return { ...withOwnRows(fields, row, before ?? {}), [ROW_ID]: id }
  })
}

/** `running`: the values of this device. Fields that are not in `values` stay out. */
export function withOwnRows(
  fields: readonly FormField[],
  values: Values,
  running: Values,
): Record<string, unknown> {
  const byName = new Map(fields.map((field) => [field.name, field]))
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = byName.get(name)
      const own = running[name]
      if (field?.input === 'rows' && Array.isArray(value))
        return [name, matched(field.fields ?? [], value as Row[], (Array.isArray(own) ? own : []) as Row[])]
      if (field?.input === 'fields' && value !== null && typeof value === 'object')
        // A section is written as a whole: what is left out of it stays as it is.
        return [
          name,
          {
            ...(own as Values | undefined),
            ...withOwnRows(field.fields ?? [], value as Values, (own ?? {}) as Values),
          },
        ]
      return [name, value]
    }),
  )
}

const isValues = (value: unknown): value is Values =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** The row of the device; undefined: it is new. */
const rowLike = (row: Values, own: unknown): Values | undefined =>
  Array.isArray(own) && row[ROW_ID] ? own.find((one: Values) => one[ROW_ID] === row[ROW_ID]) : undefined

/**
 * Values that were kept before their page had a field say nothing about it. What rows and sections leave out stays as the
 * device has it; only a new row takes the default of the field [decisions/149]. `running`: its values, whose rows have the
 * same ids. Whole fields that are left out stay out.
 */
export function withLeftOut(
  fields: readonly FormField[],
  values: Values,
  running: Values,
): Record<string, unknown> {
  const byName = new Map(fields.map((field) => [field.name, field]))
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const { input, fields: inner = [] } = byName.get(name) ?? {}
      const own = running[name]
      const whole = (one: Values, before: Values) => ({ ...before, ...withLeftOut(inner, one, before) })
      if (input === 'rows' && Array.isArray(value))
        return [name, value.map((row: Values) => whole(row, rowLike(row, own) ?? {}))]
      return [name, input === 'fields' && isValues(value) ? whole(value, isValues(own) ? own : {}) : value]
    }),
  )
}

/** For values that are kept: each row has an id, by which the secret behind a mask is found again. */
export function withRowIds<T>(values: T): T {
  if (Array.isArray(values))
    return values.map((one, i) =>
      one !== null && typeof one === 'object' && ROW_ID in one && !one[ROW_ID]
        ? withRowIds({ ...one, [ROW_ID]: freeId(values, i) })
        : withRowIds(one),
    ) as T
  if (values === null || typeof values !== 'object') return values
  return Object.fromEntries(Object.entries(values).map(([name, one]) => [name, withRowIds(one)])) as T
}

/** `+3` and so on: never the id of a section. */
function freeId(rows: readonly Row[], index: number): string {
  const taken = new Set(rows.map((row) => row[ROW_ID]))
  let id = `+${index}`
  while (taken.has(id)) id = `${id}_`
  return id
}
