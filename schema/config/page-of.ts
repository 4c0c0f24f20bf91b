/** Reads and writes a page from its bounds: one for each field, in the shape of the body. */
import type { Bound } from './bind.ts'
import { readBound, sectionOf, writeBound } from './bind.ts'
import { calledIn, type Rows, readRows, rowSections, writeRows } from './bind-rows.ts'
import { type ConfigFile, changedFiles } from './page-file.ts'
import type { UciDoc } from './uci.ts'

/** Where a value of a form is in a document; refusals by a device name it so. */
export type UciPlace = { readonly package: string; readonly section: string; readonly option: string | null }

export type Bounds = { readonly [field: string]: Bound | Rows | Bounds }
type Values = Readonly<Record<string, unknown>>

const isBound = (one: Bound | Rows | Bounds): one is Bound => typeof (one as Bound).get === 'function'
const isRows = (one: Bound | Rows | Bounds): one is Rows => typeof (one as Rows).package === 'string'

export const readBounds = (doc: UciDoc, bounds: Bounds): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(bounds).map(([name, one]) => [
      name,
      isBound(one) ? readBound(doc, one) : isRows(one) ? readRows(doc, one) : readBounds(doc, one),
    ]),
  )

/** Fields that `values` lacks are not changed: hidden ones are not sent. */
export function writeBounds(doc: UciDoc, bounds: Bounds, values: Values): UciDoc {
  let after = doc
  for (const [name, one] of Object.entries(bounds)) {
    const value = values[name]
    if (value === undefined) continue
    after = isBound(one)
      ? writeBound(after, one, value)
      : isRows(one)
        ? writeRows(after, one, value as Values[])
        : writeBounds(after, one, value as Values)
  }
  return after
}

/** The files that the values contain, and the former ones that no option names any more. */
export const filesOf = (doc: UciDoc, bounds: Bounds, values: Values): ConfigFile[] =>
  Object.entries(bounds).flatMap(([name, one]) => {
    const value = values[name]
    if (isBound(one)) return one.file && value ? changedFiles(doc, one, String(value)) : []
    return isRows(one) || value === undefined ? [] : filesOf(doc, one, value as Values)
  })

/**
 * Where each field is, by its path: without row numbers for rows that may come, and with them for those of the document,
 * each of which has a section.
 */
export function placesOf(doc: UciDoc, bounds: Bounds, prefix = ''): Record<string, UciPlace> {
  return Object.assign(
    {},
    ...Object.entries(bounds).map(([name, one]): Record<string, UciPlace> => {
      const path = `${prefix}${name}`
      if (isBound(one)) {
        const { package: of, name, type } = one.where
        // A device refuses an option of the section that it has, which may have a name that the page does not ask for.
        const found = name === undefined ? sectionOf(doc, one.where) : undefined
        const called = found && (found.name ?? calledIn(doc, of).get(found))
        const section = called ?? name ?? `@${type}`
        return { [path]: { package: of, section, option: one.option } }
      }
      if (!isRows(one)) return placesOf(doc, one, `${path}.`)
      const inside = (row: string, section: string) => ({
        [row]: { package: one.package, section, option: null },
        ...(one.named && { [`${row}.${one.named}`]: { package: one.package, section, option: null } }),
        ...Object.fromEntries(
          Object.entries(one.fields).map(([field, { option }]) => [
            `${row}.${field}`,
            { package: one.package, section, option },
          ]),
        ),
      })
      return Object.assign(
        inside(path, `@${one.type}`),
        ...rowSections(doc, one).map((section, i) => inside(`${path}.${i}`, section)),
      )
    }),
  )
}
