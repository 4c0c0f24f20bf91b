/** Results on stdout, as a table for people or JSON for scripts. */
export type Format = 'table' | 'json'

/** Text from devices and users must not control the terminal. */
const inert = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\uFFFD')
/** CJK characters take two columns. */
const wide = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/g
const widthOf = (text: string) => text.length + (text.match(wide)?.length ?? 0)

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return inert(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

export function table(rows: readonly Record<string, unknown>[], columns?: readonly string[]): string {
  const names = columns ?? Object.keys(rows[0] ?? {})
  const lines = [names.map(inert), ...rows.map((row) => names.map((name) => cell(row[name])))]
  const widths = names.map((_, i) => Math.max(...lines.map((line) => widthOf(line[i] ?? ''))))
  const pad = (text: string, i: number) => text + ' '.repeat((widths[i] ?? 0) - widthOf(text))
  return lines.map((line) => line.map(pad).join('  ').trimEnd()).join('\n')
}

/** JSON escapes C0 itself; some terminals would still interpret C1. */
const json = (value: unknown) =>
  JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** As it is for a file or a pipe; only a terminal would obey what is in it. */
export function printText(
  text: string,
  out: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stdout,
): void {
  out.write(out.isTTY ? text.replace(/[^\n\t]+/g, inert) : text)
}

/** Prints `whole` as JSON, or `rows` of it as a table. */
export function print(
  format: Format,
  whole: unknown,
  rows: readonly Record<string, unknown>[],
  columns?: readonly string[],
): void {
  process.stdout.write(`${format === 'json' ? json(whole) : table(rows, columns)}\n`)
}

/** Prints one object as a table of its fields. */
export function printOne(format: Format, thing: object): void {
  print(
    format,
    thing,
    Object.entries(thing).map(([field, value]) => ({ field, value })),
  )
}

export const note = (text: string) => process.stderr.write(`${inert(text)}\n`)
