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

const isValues = (value: unknown): value is Values =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** These values, their lists of rows through `ofRows` with those that run. A section is written as a whole: what is left out of it stays. */
function withRows(
  fields: readonly FormField[],
  values: Values,
  running: Values,
  ofRows: (fields: readonly FormField[], rows: readonly Row[], own: readonly Row[]) => Row[],
): Record<string, unknown> {
  const byName = new Map(fields.map((field) => [field.name, field]))
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const { input, fields: inner = [] } = byName.get(name) ?? {}
      const own = running[name]
      if (input === 'rows' && Array.isArray(value))
        return [name, ofRows(inner, value, Array.isArray(own) ? own : [])]
      if (input !== 'fields' || !isValues(value)) return [name, value]
      const before = isValues(own) ? own : {}
      return [name, { ...before, ...withRows(inner, value, before, ofRows) }]
    }),
  )
}

/** `running`: the values of this device. Fields that are not in `values` stay out. */
export const withOwnRows = (
  fields: readonly FormField[],
  values: Values,
  running: Values,
): Record<string, unknown> => withRows(fields, values, running, matched)

const withoutGaps = (fields: readonly FormField[], rows: readonly Row[], own: readonly Row[]): Row[] =>
  rows.map((row) => {
    const id = row[ROW_ID]
    const before: Values = (id ? own.find((one) => one[ROW_ID] === id) : undefined) ?? {}
    return { ...before, ...withLeftOut(fields, row, before) }
  })

/**
 * Values that were kept before their page had a field say nothing about it. What rows and sections leave out stays as the
 * device has it; only a new row takes the default of the field [decisions/149]. `running`: its values, whose rows have the
 * same ids. Whole fields that are left out stay out.
 */
export const withLeftOut = (
  fields: readonly FormField[],
  values: Values,
  running: Values,
): Record<string, unknown> => withRows(fields, values, running, withoutGaps)

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

/** The lists of rows among these values, by field. */
export function rowsIn(fields: readonly FormField[], values: Values): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap(({ name, input, fields: inner = [] }): [string, unknown][] => {
      const value = values[name]
      if (input === 'rows' && Array.isArray(value)) return [[name, value]]
      const within = input === 'fields' && isValues(value) ? rowsIn(inner, value) : {}
      return Object.keys(within).length > 0 ? [[name, within]] : []
    }),
  )
}

/** The edition of a page names its draft, and the lists of rows that it shows: `<draft>~<digest of the lists>`. */
export const pageEdition = (draft: string, lists: string): string =>
  [draft, ...(lists === '' ? [] : [lists])].join('~')

/** `lists`: undefined if the page has none. */
export function partsOf(edition: string): { draft: string; lists: string | undefined } {
  const [draft = '', lists] = edition.split('~')
  return { draft, lists }
}
