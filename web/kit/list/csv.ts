/** CSV for spreadsheets. */
import { csvCell, isMoment, repeatedOffset, zonedHeading } from '#schema/kit/csv'
import { moment, viewerZone } from '../format.ts'
import { nameText } from '../known-name.ts'
import type { Column } from './list-types.ts'

/** Rows as CSV with CRLF line ends; times in the viewer's zone, which is in the heading. */
export function toCsv<R>(
  rows: readonly R[],
  columns: readonly (Pick<Column<R>, 'key' | 'text'> & { heading: string })[],
): string {
  const zone = viewerZone()
  const offset = repeatedOffset(zone)
  const field = (row: R, key: string) => {
    const value = nameText((row as Record<string, unknown>)[key])
    if (typeof value === 'string' && value !== '' && isMoment(key))
      return moment(value) + offset(Date.parse(value))
    return typeof value === 'number' || typeof value === 'string'
      ? value
      : value == null
        ? null
        : String(value)
  }
  const lines = rows.map((row) =>
    columns.map(({ key, text }) => csvCell(text ? text(row) : field(row, key))).join(','),
  )
  const heads = columns.map(({ key, heading, text }) => (text ? heading : zonedHeading(key, heading, zone)))
  return [heads.map(csvCell).join(','), ...lines].join('\r\n')
}

/** The content of a selected file: UTF-8, or GB 18030 as written by a Chinese Excel. null: not a text file. */
export function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}

/** See `textOf`: never `file.text()`, which reads every file as UTF-8. */
export const textOfFile = async (file: Blob) => textOf(new Uint8Array(await file.arrayBuffer()))
