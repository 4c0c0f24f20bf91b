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

/** Columns of moments are named so: `at`, `startedAt`. */
export const isMoment = (key: string): boolean => /^at$|At$/.test(key)
/** A heading that says by which clocks the moments below it are. */
export const zonedHeading = (key: string, title: string, zone: string): string =>
  isMoment(key) ? `${title} (${zone})` : title

/** Lines whose moments are as the clocks of a zone show them, as the lists do. @param zone an IANA name that is known */
export function zonedLines(zone: string): (cells: readonly unknown[]) => string {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  return (cells) => csvLine(cells.map((cell) => (cell instanceof Date ? clock.format(cell) : cell)))
}
