/** Cells for spreadsheets: RFC 4180, and inert, because what a device calls itself is hostile text [threats 36]. */

/** What spreadsheets take for a formula, also after trimming or folding full-width signs as East Asian ones do. */
const formula = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/

/** One cell. A text that would start a formula gets an apostrophe; numbers stay numbers. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = value instanceof Date ? value.toISOString() : String(value)
  const inert = formula.test(text) ? `'${text}` : text
  return /[",\r\n']/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}

export const csvLine = (cells: readonly unknown[]) => `${cells.map(csvCell).join(',')}\r\n`

/** Excel reads a CSV as UTF-8 only when it starts so. */
export const BOM = '\uFEFF'
