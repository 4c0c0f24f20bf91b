/**
 * Cells of a table that was pasted from a spreadsheet or read from a CSV file. The inverse of `csvLine` [RFC 4180]: the
 * apostrophe that it puts before what would be a formula is taken off again.
 */

const guarded = /^'(?=[\t\r\n]|\s*[=+\-@＝＋－＠])/
const DELIMITERS = ['\t', ',', ';'] as const

/** A paste has tabs; a spreadsheet with a decimal comma writes semicolons. Read from the first line only. */
function delimiterOf(text: string): string {
  const [line = ''] = text.split(/[\r\n]/, 1)
  const count = (sign: string) => line.split(sign).length
  return DELIMITERS.reduce<string>((best, sign) => (count(sign) > count(best) ? sign : best), DELIMITERS[0])
}

export type Cells = {
  rows: string[][]
  /** A quote without its end: what comes after it is one cell. */
  unclosed: boolean
  /** Of a file with semicolons: 0,1 is a tenth. */
  decimalComma: boolean
}

/** Empty lines are left out. */
export function cellsOf(given: string): Cells {
  const text = given.replace(/^\uFEFF/, '')
  const delimiter = delimiterOf(text)
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  let unclosed = false
  const endCell = () => {
    row.push(cell.replace(guarded, ''))
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (row.some((value) => value.trim() !== '')) rows.push(row)
    row = []
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
    else if (sign === '\n') endRow()
    else if (sign !== '\r') cell += sign
  }
  unclosed = quoted
  endRow()
  return { rows, unclosed, decimalComma: delimiter === ';' }
}
