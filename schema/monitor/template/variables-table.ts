/**
 * Variables of a template from a table: the CSV file of their list, of any language, or rows of another spreadsheet.
 */
import type { FormField } from '#schema/kit/field'
import { VARIABLES_MAX } from '../fields.ts'
import { type VariableFields, variableFaults } from '../variable-rules.ts'
import { cellsOf } from './cells.ts'
import { type ChoiceTexts, nameKey, readTable, type TableRead, withRepeats } from './table.ts'

/** No table that a template can hold is nearly as large; reading much more would freeze the page. */
export const TABLE_BYTES_MAX = 5 * 1024 * 1024

/** The texts of one language (locales/<language>/variable.json). */
export type VariableTexts = Readonly<Record<string, unknown>>

const below = (texts: VariableTexts, key: string) => (texts[key] ?? {}) as Readonly<Record<string, string>>

/**
 * The columns and choices are those of the form, by their name or by what the form calls them.
 * @param known variables that the template has: a row of the same name changes one
 * @returns as many rows as a template can have; `total`: of how many
 */
export function readVariables(
  text: string,
  form: readonly FormField[],
  texts: readonly VariableTexts[],
  known: readonly Readonly<Record<string, unknown>>[],
): TableRead & { total: number; unclosed: number | null } {
  const fields = form.filter(({ input }) => input !== 'hidden')
  const headings = Object.fromEntries(
    fields.map(({ name }) => [name, texts.flatMap((of) => below(of, 'field')[name] ?? [])]),
  )
  const choices = fields.filter(({ input }) => input === 'choice')
  const shown = texts.map(
    (of): ChoiceTexts => Object.fromEntries(choices.map(({ name }) => [name, below(of, name)])),
  )
  const byName = new Map(known.map((row) => [nameKey(String(row['name'])), row]))
  const cells = cellsOf(text)
  // A file of another kind may have a million: they are refused, and judging them would take seconds.
  const judged = { ...cells, rows: cells.rows.slice(0, VARIABLES_MAX + 1) }
  const read = readTable(judged, fields, {
    headings,
    shown,
    between: (values) => variableFaults({ factor: 1, addend: 0, ...values } as VariableFields),
    stored: ({ name }) => byName.get(nameKey(String(name ?? ''))),
  })
  const total = Math.max(0, cells.rows.length - 1)
  return { ...withRepeats(read, 'name', { reason: 'twice' }), total, unclosed: cells.unclosed }
}
