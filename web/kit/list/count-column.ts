import { number } from '../format.ts'
import type { Column } from './list-types.ts'

/**
 * A count that other columns show only beside another one: in the file it has a column of its own, since two numbers in
 * one cell are a date to a spreadsheet (3/12).
 */
export const countColumn = <R>(
  key: string,
  title: Column<R>['title'],
  of: (row: R) => number,
): Column<R> => ({
  key,
  title,
  width: 130,
  numeric: true,
  extra: true,
  csv: true,
  render: (row) => number(of(row)),
  text: of,
})
