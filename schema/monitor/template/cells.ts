/**
 * Cells of a table that was pasted from a spreadsheet or read from a CSV file. The inverse of `csvLine` [RFC 4180]: the
 * apostrophe that it puts before what would be a formula is taken off again.
 */

import { writtenIn } from '#schema/kit/csv'

const DELIMITERS = ['\t', ',', ';'] as const

/** A paste has tabs; a spreadsheet with a decimal comma writes semicolons. Read from the first line that is not empty. */
function delimiterOf(text: string): string {
  const [line = ''] = /[^\r\n]+/.exec(text) ?? []
  const count = (sign: string) => line.split(sign).length
  return DELIMITERS.reduce<string>((best, sign) => (count(sign) > count(best) ? sign : best), DELIMITERS[0])
}

export type Cells = {
  rows: string[][]
  /** Of each row, as a spreadsheet counts: from 1, with empty lines, and once a row whose cells have several lines. */
  lines: number[]
  /** The row with a quote that has no end: what comes after it is one cell. null: none. */
  unclosed: number | null
  /** Of a file with semicolons: 0,1 is a tenth. */
  decimalComma: boolean
}

/** Empty lines are left out. Lines end as in any system: LF, CRLF or CR. */
export function cellsOf(given: string): Cells {
  const text = given.replace(/^\uFEFF/, '')
  const delimiter = delimiterOf(text)
  const rows: string[][] = []
  const lines: number[] = []
  let line = 1
  let row: string[] = []
  let cell = ''
  let quoted = false
  const endCell = () => {
    row.push(writtenIn(cell))
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (row.some((value) => value.trim() !== '')) {
      rows.push(row)
      lines.push(line)
    }
    row = []
    line++
  }
  for (let i = 0; i < text.length; i++) {
    const sign = text[i] ?? ''
    if (quoted) {
      if (sign !== '"') cell += sign
      else if (text[i + 1] === '"') {
        cell += '"'
        i++
      } else quoted = false
    } else if (sign === '"' && cell === '') quoted = true
    else if (sign === delimiter) endCell()
    else if (sign === '\n' || (sign === '\r' && text[i + 1] !== '\n')) endRow()
    else if (sign !== '\r') cell += sign
  }
  const unclosed = quoted ? line : null
  endRow()
  return { rows, lines, unclosed, decimalComma: delimiter === ';' }
}
