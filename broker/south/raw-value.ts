/** Converts a value sent by a source to the raw value of a variable, or to text that can be stored. Pure. */
import { type Quality, qualityCode } from '#schema/monitor/fields'
import { type StoredValue, storedValue, type VariableScale } from '#schema/monitor/scale'
import type { SouthSample } from '#schema/monitor/south/adapter'

const TEXT_MAX = 1_000
const NUMBER_MAX = 64
const INTEGER = /^-?\d{1,20}$/
const SWITCHED: ReadonlyMap<string, number> = new Map([
  ['true', 1],
  ['false', 0],
  ['on', 1],
  ['off', 0],
])

/**
 * PostgreSQL stores neither NUL nor lone surrogates, and one such text would fail its whole group. Cut first: a message may name one long text for thousands
 * of values.
 */
export const clean = (text: string, max: number) => text.slice(0, max).replaceAll('\0', '').toWellFormed()

/** Names that people would take for one are one [decisions/064]; like `name_key` of the database. */
export const nameKey = (name: string) => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()

function rawOf({ type }: VariableScale, value: SouthSample['value']): number | string | null {
  if (value === null) return null
  if (type === 'text') return clean(String(value), TEXT_MAX)
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  const text = value.trim()
  // Cut, it would be another number.
  if (text.length > NUMBER_MAX) return null
  // Integers that a double cannot hold stay text; storedValue knows which types take them.
  if (INTEGER.test(text) && !Number.isSafeInteger(Number(text))) return text
  const number = text === '' ? Number.NaN : Number(text)
  // Text in a numeric variable is bad data, as from a gateway.
  return Number.isFinite(number) ? number : (SWITCHED.get(text.toLowerCase()) ?? text)
}

/** @param uncertain its time is that of its arrival, because its own is in the future */
export function southValue(
  scale: VariableScale,
  { value, quality }: SouthSample,
  uncertain = false,
): StoredValue {
  const known = value !== null && !Number.isNaN(value)
  const said: Quality = uncertain ? 'uncertainTime' : 'good'
  // Without a value, its time says nothing.
  const code =
    quality === undefined || (quality === 'uncertainTime' && !known) ? (known ? said : 'noValue') : quality
  return storedValue(scale, rawOf(scale, value), qualityCode(code))
}
