/** What differs between the rows of a list and those of another: of a second device, or of another time. */
import { ROW_ID } from '#schema/config/bind-rows'

type Row = Readonly<Record<string, unknown>>
/** `nth` counts from 1, as a person does. */
export type RowDifference = { nth: number; fields: readonly string[] }

const same = (one: unknown, other: unknown) => JSON.stringify(one ?? '') === JSON.stringify(other ?? '')
const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/**
 * The corresponding row of each: with the same id, else with the same name, else at the same position. Each has one at
 * most: of two rows with one name the second is that of the second, and a row is not compared with the partner of another.
 */
function partnersOf(rows: readonly Row[], others: readonly Row[]): ReadonlyMap<Row, Row> {
  const partners = new Map<Row, Row>()
  const taken = new Set<Row>()
  const pair = (find: (row: Row, nth: number) => Row | undefined) => {
    for (const [nth, row] of rows.entries()) {
      const other = partners.has(row) ? undefined : find(row, nth)
      if (!other || taken.has(other)) continue
      partners.set(row, other)
      taken.add(other)
    }
  }
  for (const key of [ROW_ID, 'name'])
    pair((row) =>
      isEmpty(row[key]) ? undefined : others.find((one) => !taken.has(one) && same(one[key], row[key])),
    )
  pair((_, nth) => others[nth])
  return partners
}

/** The names of the fields in which two sections differ. */
export const fieldDifferences = (names: readonly string[], one: Row, other: Row): readonly string[] =>
  names.filter((name) => !same(one[name], other[name]))

/**
 * Rows that the others lack, with all that they say; of the others, the fields that differ. Rows that are the same are
 * left out.
 */
export function rowDifferences(
  names: readonly string[],
  rows: readonly Row[],
  others: readonly Row[],
): RowDifference[] {
  const partners = partnersOf(rows, others)
  return rows.flatMap((row, nth) => {
    const partner = partners.get(row)
    const fields = partner
      ? fieldDifferences(names, row, partner)
      : names.filter((name) => !isEmpty(row[name]))
    return fields.length === 0 ? [] : [{ nth: nth + 1, fields }]
  })
}

/** No visible difference: the rows are in a different order, or differ in something that is masked. */
export const isReordered = (rows: readonly Row[], others: readonly Row[]) =>
  rows.length === others.length && !rows.every((row, nth) => same(row, others[nth]))
