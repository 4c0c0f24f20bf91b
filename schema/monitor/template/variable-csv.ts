/** Variables of a template as CSV, in the columns of their form: what `cellsOf` and `readTable` read back. */
import { BOM, csvLine } from '#schema/kit/csv'
import type { FormField } from '#schema/kit/field'

/** Columns that are left out: they only identify the owner of the rows. */
const isOwn = ({ input }: FormField) => input !== 'hidden'

export const variableColumns = (fields: readonly FormField[]): string[] =>
  fields.filter(isOwn).map(({ name }) => name)

export function variableCsv(
  rows: readonly Readonly<Record<string, unknown>>[],
  fields: readonly FormField[],
): string {
  const names = variableColumns(fields)
  return BOM + [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))].map(csvLine).join('')
}
