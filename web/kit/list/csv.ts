/** CSV for spreadsheets. */
import { csvCell, isMoment, repeatedOffset, zonedHeading } from '#schema/kit/csv'
import { moment, viewerZone } from '../format.ts'
import { nameText } from '../known-name.ts'
import { language } from '../session.ts'
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

/** UTF-16 begins with one of these: the Unicode text of Excel, and files of some editors of Windows. */
function utf16Of(bytes: Uint8Array): string | null {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null
  return encoding && new TextDecoder(encoding).decode(bytes)
}

function isValid(bytes: Uint8Array, encoding: string): boolean {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes) !== ''
  } catch {
    return false
  }
}

const isHigh = (byte: number | undefined) => byte !== undefined && byte > 0x7f
/** A western text has single letters and signs beyond ASCII (°, ³, ü); characters of GB 2312 have two such bytes. */
const isWestern = (bytes: Uint8Array) => !bytes.some((byte, i) => isHigh(byte) && isHigh(bytes[i + 1]))

/** Characters of GB 2312 never have an ASCII letter as their second byte, every third one of Big5 has. */
function hasLetterSecond(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (isHigh(bytes[i]) && !isHigh(bytes[++i])) return true
  return false
}

/** What a spreadsheet of Windows writes if it is not told to write UTF-8: nothing in the file says which it is. */
function ofSystem(bytes: Uint8Array): string {
  // Asked first: a few words of it may look like a western text.
  if (language() === 'zh-TW' && hasLetterSecond(bytes) && isValid(bytes, 'big5')) return 'big5'
  return isWestern(bytes) ? 'windows-1252' : 'gb18030'
}

/**
 * The content of a selected file: UTF-8, UTF-16, or what Excel writes on Chinese and western systems. null: not a text
 * file.
 */
export function textOf(bytes: Uint8Array): string | null {
  const wide = utf16Of(bytes)
  if (wide !== null) return wide.includes('\0') ? null : wide
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder(ofSystem(bytes)).decode(bytes)
  }
}

/** See `textOf`: never `file.text()`, which reads every file as UTF-8. */
export const textOfFile = async (file: Blob) => textOf(new Uint8Array(await file.arrayBuffer()))
