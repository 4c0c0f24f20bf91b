/** Units of numbers. A field's name contains its unit (`delayS`, `sizeBytes`), so most fields never declare one. */

const bySuffix: readonly (readonly [RegExp, string])[] = [
  [/^at$|[a-z]At$/, 'ms since 1970 UTC'],
  [/[a-z]S$/, 's'],
  [/[a-z]Ms$/, 'ms'],
  [/[a-z](Minutes|Min)$/, 'min'],
  [/[a-z]Hours$/, 'h'],
  [/[a-z]Days$/, 'd'],
  [/[a-z]Bytes$/, 'bytes'],
  [/Dbm$/, 'dBm'],
  [/Celsius$/, '°C'],
  [/^percent$|Percent$/, '%'],
  [/^(longitude|latitude)$/, '°'],
  [/[a-z]M$/, 'm'],
]

/** The unit in the name of a number; '' if there is none. */
export const unitByName = (name: string): string =>
  bySuffix.find(([pattern]) => pattern.test(name))?.[1] ?? ''

/** [3GPP TS 27.007 §8.5] The signal strength that modems report as 0 to 31. */
const dbmOfCsq = (csq: number) => 2 * csq - 113

/** The unit behind this number, with the number in the unit that people know better: `CSQ (−93 dBm)`. */
export const unitBeside = (unit: string, value: unknown): string =>
  unit === 'CSQ' && typeof value === 'number' && Number.isInteger(value)
    ? `CSQ (${String(dbmOfCsq(value)).replace('-', '\u2212')} dBm)`
    : unit
