/** A list of sections of one type as rows of a form: rules, port forwards, reservations. */
import { type Bound, packageOf, saidBy, type Text, withOption, withSections } from './bind.ts'
import type { UciDoc, UciSection } from './uci.ts'

/** The hidden field of each row that finds its section again; '' in a new row. */
export const ROW_ID = 'id'

export type RowBound = {
  readonly option: string
  readonly get: (found: Text | undefined) => unknown
  readonly put: (value: unknown) => Text | null
}
type RowBounds = Readonly<Record<string, RowBound>>
type Row = Readonly<Record<string, unknown>>

export type Rows = {
  readonly package: string
  readonly type: string
  /** Which sections of the type; default: all. */
  readonly only?: (section: UciSection) => boolean
  /** Options of a section that is added. */
  readonly added?: Readonly<Record<string, Text>>
  readonly fields: RowBounds
  /** The field whose value is the name of the section; without it sections that are added have none. */
  readonly named?: string
}

/** A bound without its section. */
export const inRow = ({ option, get, put }: Bound): RowBound => ({ option, get, put })
/** For the makers of bind.ts, whose section is the row's own. */
export const rowWhere = { package: '', type: '' } as const

/**
 * Sections without a name are numbered within their own list: one that another list or page adds before them in the package, such as a zone
 * before the rules, must not make a row find its neighbour's section.
 */
function rowsWithIndex(doc: UciDoc, { package: name, type, only = () => true }: Omit<Rows, 'fields'>) {
  return packageOf(doc, name)
    .sections.map((section, index) => ({ section, index }))
    .filter(({ section }) => section.type === type && only(section))
    .map(({ section, index }, place) => ({ section, index, id: section.name ?? `@${place}` }))
}

/** How `uci` calls each section of a package: by its name, else by its place among all sections of the type. */
export function calledIn(doc: UciDoc, name: string): ReadonlyMap<UciSection, string> {
  const counts = new Map<string, number>()
  return new Map(
    packageOf(doc, name).sections.map((section) => {
      const nth = counts.get(section.type) ?? 0
      counts.set(section.type, nth + 1)
      return [section, section.name ?? `@${section.type}[${nth}]`]
    }),
  )
}

export const rowSections = (doc: UciDoc, rows: Omit<Rows, 'fields'>): string[] => {
  const called = calledIn(doc, rows.package)
  return rowsWithIndex(doc, rows).flatMap(({ section }) => called.get(section) ?? [])
}

/** The section of a row with this id. */
export const sectionOfRow = (doc: UciDoc, rows: Omit<Rows, 'fields'>, id: string): UciSection | undefined =>
  rowsWithIndex(doc, rows).find((one) => one.id === id)?.section

const readRow = (section: UciSection, fields: RowBounds): Row =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { option, get }]) => [name, get(saidBy(section, option))]),
  )

export const readRows = (doc: UciDoc, rows: Rows): Row[] =>
  rowsWithIndex(doc, rows).map(({ section, id }) => ({
    [ROW_ID]: id,
    ...(rows.named && { [rows.named]: section.name ?? '' }),
    ...readRow(section, rows.fields),
  }))

function writeRow(section: UciSection, row: Row, fields: RowBounds): UciSection {
  const before = readRow(section, fields)
  let after = section
  for (const [name, { option, put }] of Object.entries(fields))
    if (name in row && JSON.stringify(before[name]) !== JSON.stringify(row[name]))
      after = withOption(after, option, put(row[name]))
  return after
}

/**
 * The sections in the order of the rows: the rows fill the places that their sections have in the package, further
 * ones follow the last of them; nothing else moves. A row without a known id is a new anonymous section.
 */
export function writeRows(doc: UciDoc, rows: Rows, values: readonly Row[]): UciDoc {
  // A package that does not exist is not added for nothing.
  if (values.length === 0 && doc[rows.package] === undefined) return doc
  const there = rowsWithIndex(doc, rows)
  const byId = new Map(there.map(({ section, id }) => [id, section]))
  const made = values.map((row) => {
    const options = Object.entries(rows.added ?? {}).map(([name, value]) => ({ name, value }))
    const known = byId.get(String(row[ROW_ID] ?? ''))
    const section = writeRow(known ?? { type: rows.type, name: null, options }, row, rows.fields)
    const name = rows.named && row[rows.named]
    return name ? { ...section, name: String(name) } : section
  })
  const places = new Set(there.map(({ index }) => index))
  const { sections } = packageOf(doc, rows.package)
  const last = there.at(-1)?.index ?? sections.length - 1
  const waiting = [...made]
  const after = sections.flatMap((section, index) => {
    const own = places.has(index) ? waiting.splice(0, 1) : [section]
    return index === last ? [...own, ...waiting.splice(0)] : own
  })
  return withSections(doc, rows.package, [...after, ...waiting])
}
