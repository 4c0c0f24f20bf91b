/** Reading untrusted JSON: own members only, never through a prototype, and no recursion. */
import { SOUTH_NAME_MAX, type SouthReading, type SouthSample } from './adapter.ts'

export type Json = unknown

export const isRecord = (value: Json): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member by its name; `__proto__` and `constructor` are names like all others. */
export const member = (value: Json, name: string): Json =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined

export const textOf = (payload: Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(payload)
  } catch {
    return null
  }
}

/** undefined: not JSON. */
export function parseJson(payload: Uint8Array): Json {
  const text = textOf(payload)
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const unreadable: SouthReading = { samples: [], fault: 'unreadable' }

/** A value of a variable; objects and arrays are none. */
export const plain = (value: Json): number | string | boolean | null | undefined =>
  value === null || typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'
    ? value
    : undefined

/** Names are texts or numbers; a text that is too long for a name is none. */
export const nameOf = (value: Json): string | null =>
  typeof value === 'string' && value !== '' && value.length <= SOUTH_NAME_MAX
    ? value
    : typeof value === 'number'
      ? String(value)
      : null

/** Later than this in seconds is the year 5138: such a number is milliseconds. */
const MS_FROM = 1e11
const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/

/** Seconds or milliseconds since 1970, or ISO 8601 with its zone. null: not a time; a local time without zone is none. */
export function timeOf(value: Json): number | null {
  const number = typeof value === 'string' && /^\d{9,13}(\.\d+)?$/.test(value) ? Number(value) : value
  if (typeof number === 'number')
    return Number.isFinite(number) && number > 0
      ? Math.round(number < MS_FROM ? number * 1000 : number)
      : null
  if (typeof value !== 'string' || !ISO.test(value)) return null
  const at = Date.parse(value.replace(' ', 'T'))
  return Number.isFinite(at) ? at : null
}

/** The time of a sample: that of its arrival if none was sent; if what was sent is not a time, that is uncertain. */
export function momentOf(value: Json, now: number): Pick<SouthSample, 'at' | 'quality'> {
  const at = timeOf(value)
  if (at !== null) return { at }
  return value === undefined || value === null ? { at: now } : { at: now, quality: 'uncertainTime' }
}
