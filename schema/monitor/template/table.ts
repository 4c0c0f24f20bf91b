/** Reads a table as form values, with the fault of each cell: the preview of a paste or an import. */
import { checkFields } from '#schema/kit/check'
import type { Fault } from '#schema/kit/fault'
import type { FormField } from '#schema/kit/field'
import type { Cells } from './cells.ts'

export type TableRow = {
  /** As in the spreadsheet: the heading is line 1. */
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
  shown: ChoiceTexts,
  decimalComma: boolean,
): unknown {
  const written = text.trim()
  if (input === 'number') return readNumber(written, decimalComma)
  if (input !== 'choice') return written
  const isMeant = (said: string | undefined) => said !== undefined && plain(said) === plain(written)
  return (
    options?.find((option) => isMeant(String(option))) ??
    options?.find((option) => isMeant(shown[name]?.[String(option)])) ??
    written
  )
}

/** @param between faults between the fields of a row, in addition to those of each */
export function readTable(
  { rows: cells, decimalComma }: Pick<Cells, 'rows' | 'decimalComma'>,
  fields: readonly FormField[],
  headings: Headings = {},
  between: (values: Record<string, unknown>) => Record<string, Fault> = () => ({}),
  shown: ChoiceTexts = {},
): TableRead {
  const [head = [], ...lines] = cells
  const known = columnsOf(fields, headings)
  const columns = head.map((name) => known.get(plain(name)))
  const present = new Set(columns.flatMap((field) => field?.name ?? []))
  const initial = Object.fromEntries(
    fields.flatMap(({ name, initial: value }) => (value === undefined ? [] : [[name, value]])),
  )
  const rows = lines.map((line, i): TableRow => {
    const written = columns.flatMap((field, column) => {
      const text = line[column] ?? ''
      return field && text.trim() !== '' ? [{ field, text }] : []
    })
    const values = {
      ...initial,
      ...Object.fromEntries(
        written.map(({ field, text }) => [field.name, readValue(field, text, shown, decimalComma)]),
      ),
    }
    const own = checkFields(fields, values)
    const faults = Object.keys(own).length > 0 ? own : between(values)
    return {
      line: i + 2,
      values,
      faults,
      texts: Object.fromEntries(written.map(({ field, text }) => [field.name, text])),
    }
  })
  return {
    rows,
    unknown: head.filter((name, i) => !columns[i] && name.trim() !== ''),
    missing: fields
      // A field that only some rows need is checked per row.
      .filter(
        ({ name, required, when, initial: value }) =>
          required && when === undefined && value === undefined && !present.has(name),
      )
      .map(({ name }) => name),
  }
}

/** Names that occur twice, with the rows after the first: within one template a name is unique. */
export function withRepeats(read: TableRead, column: string, fault: Fault): TableRead {
  const seen = new Set<string>()
  const rows = read.rows.map((row) => {
    const name = plain(String(row.values[column] ?? ''))
    const again = name !== '' && seen.has(name)
    seen.add(name)
    return again ? { ...row, faults: { ...row.faults, [column]: fault } } : row
  })
  return { ...read, rows }
}
