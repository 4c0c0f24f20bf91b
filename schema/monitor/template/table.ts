/** Reads a table as form values, with the fault of each cell: the preview of a paste or an import. */
import { checkFields } from '#schema/kit/check'
import { holds } from '#schema/kit/condition'
import type { Fault } from '#schema/kit/fault'
import type { FormField } from '#schema/kit/field'
import type { Cells } from './cells.ts'

export type TableRow = {
  /** As in the spreadsheet. */
  line: number
  values: Record<string, unknown>
  /** By column; `texts` keeps what was written there. */
  faults: Record<string, Fault>
  texts: Record<string, string>
}
export type TableRead = {
  rows: TableRow[]
  /** Unknown headings. */
  unknown: string[]
  /** Missing required columns. */
  missing: string[]
}
/** How a column may be headed besides its name, e.g. by its label in any language. */
export type Headings = Readonly<Record<string, readonly string[]>>

/** How the choices of a column are called besides their values, e.g. as the form shows them: by column and value. */
export type ChoiceTexts = Readonly<Record<string, Readonly<Record<string, string>>>>

const plain = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_*]+/g, '')

function columnsOf(fields: readonly FormField[], headings: Headings): Map<string, FormField> {
  const entries = fields.flatMap((field) =>
    [field.name, ...(headings[field.name] ?? [])].map((name) => [plain(name), field] as const),
  )
  // The first wins: labels of two fields may be the same in one language.
  return new Map(entries.toReversed())
}

const COMMA = /^[+-]?\d*,\d+$/

/** A text that is no number is left for the check to name. */
function readNumber(written: string, decimalComma: boolean): number | string {
  const text = decimalComma && COMMA.test(written) ? written.replace(',', '.') : written
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : written
}

/** What an input would hold. */
function readValue(
  { name, input, options }: FormField,
  text: string,
  shown: readonly ChoiceTexts[],
  decimalComma: boolean,
): unknown {
  const written = text.trim()
  if (input === 'number') return readNumber(written, decimalComma)
  if (input !== 'choice') return written
  const isMeant = (said: string | undefined) => said !== undefined && plain(said) === plain(written)
  return (
    options?.find((option) => isMeant(String(option))) ??
    options?.find((option) => shown.some((texts) => isMeant(texts[name]?.[String(option)]))) ??
    written
  )
}

type Values = Record<string, unknown>

/** What a form would not send: fields that values like these do not have. */
function withoutHidden(fields: readonly FormField[], values: Values): Values {
  const hidden = fields.filter(({ when }) => when !== undefined && !holds(when, values))
  const names = new Set(hidden.map(({ name }) => name))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)))
}

type Options = {
  headings?: Headings
  /** Faults between the fields of a row, in addition to those of each. */
  between?: (values: Values) => Record<string, Fault>
  /** The first that has a text wins. */
  shown?: readonly ChoiceTexts[]
  /** What a row changes: it keeps the values of columns that the table does not have. undefined: the row is new. */
  stored?: (written: Values) => Readonly<Values> | undefined
}

export function readTable(
  { rows: cells, lines: numbers, decimalComma }: Omit<Cells, 'unclosed'>,
  fields: readonly FormField[],
  { headings = {}, between = () => ({}), shown = [], stored = () => undefined }: Options = {},
): TableRead {
  const [head = [], ...lines] = cells
  const known = columnsOf(fields, headings)
  const columns = head.map((name) => known.get(plain(name)))
  let isNew = lines.length === 0
  const present = new Set(columns.flatMap((field) => field?.name ?? []))
  const initial = Object.fromEntries(
    fields.flatMap(({ name, initial: value }) => (value === undefined ? [] : [[name, value]])),
  )
  const rows = lines.map((line, i): TableRow => {
    const written = columns.flatMap((field, column) => {
      const text = line[column] ?? ''
      return field && text.trim() !== '' ? [{ field, text }] : []
    })
    const read = Object.fromEntries(
      written.map(({ field, text }) => [field.name, readValue(field, text, shown, decimalComma)]),
    )
    const former = stored(read)
    if (!former) isNew = true
    const kept = fields.flatMap(({ name }) =>
      present.has(name) || former?.[name] == null ? [] : [[name, former[name]] as const],
    )
    const values = withoutHidden(fields, { ...initial, ...Object.fromEntries(kept), ...read })
    const own = checkFields(fields, values)
    const faults = Object.keys(own).length > 0 ? own : between(values)
    return {
      line: numbers[i + 1] ?? 0,
      values,
      faults,
      texts: Object.fromEntries(written.map(({ field, text }) => [field.name, text])),
    }
  })
  return {
    rows,
    unknown: head.filter((name, i) => !columns[i] && name.trim() !== ''),
    missing: fields
      // A field that only some rows need is checked per row; rows that are changed have it.
      .filter(
        ({ name, required, when, initial: value }) =>
          isNew && required && when === undefined && value === undefined && !present.has(name),
      )
      .map(({ name }) => name),
  }
}

/**
 * As PostgreSQL does it: each character for itself, as one other character. JavaScript makes two of an İ, and another sigma at
 * the end of a word.
 */
const lower = (text: string) =>
  Array.from(text, (one) => String.fromCodePoint(one.toLowerCase().codePointAt(0) ?? 0)).join('')

/** When two names are the same, as `name_key` of the database says. A zero-width U+FEFF is a space only to JavaScript. */
export const nameKey = (name: string): string =>
  lower(
    name
      .normalize('NFKC')
      .trim()
      .replace(/[^\S\uFEFF]+/g, ' '),
  )

/** Names that occur twice, with the rows after the first: within one template a name is unique. */
export function withRepeats(read: TableRead, column: string, fault: Fault): TableRead {
  const seen = new Set<string>()
  const rows = read.rows.map((row) => {
    const name = nameKey(String(row.values[column] ?? ''))
    const again = name !== '' && seen.has(name)
    seen.add(name)
    return again ? { ...row, faults: { ...row.faults, [column]: fault } } : row
  })
  return { ...read, rows }
}
