/**
 * Decodes the bytes of registers to a raw value. Unknown is never 0: NaN, infinities and "no value" patterns are null.
 */
import type { Quality } from '../fields.ts'
import { decimalOf, plainOf, times } from './decimal.ts'
import { hexOf } from './hex.ts'
import { wordsOfBytes } from './pack.ts'
import { reordered, type ValueShape } from './shape.ts'

/** A number; text for texts and for 64-bit integers beyond 2^53. */
export type RawValue = number | string
export type Decoded =
  | { value: RawValue; quality: 'good' }
  | { value: null; quality: Extract<Quality, 'noValue' | 'badData'> }

const good = (value: RawValue): Decoded => ({ value, quality: 'good' })
const noValue: Decoded = { value: null, quality: 'noValue' }
const badData: Decoded = { value: null, quality: 'badData' }

const finite = (value: number): Decoded => (Number.isFinite(value) ? good(value) : noValue)
const whole = (value: bigint): Decoded => good(plainOf({ mantissa: value, scale: 0 }))

/** The shortest decimal that is this float32: 230.1 instead of 230.10000610351562. */
function shortFloat(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return value
}

/** Each nibble is a decimal digit. */
function bcd(bytes: Uint8Array): Decoded {
  const digits = hexOf(bytes)
  return /^\d+$/.test(digits) ? good(Number(digits)) : badData
}

/** Each register holds four decimal digits, the highest first (some meters). */
function mod10k(bytes: Uint8Array): Decoded {
  const words = wordsOfBytes(bytes)
  if (words.some((word) => word > 9_999)) return badData
  return whole(words.reduce((sum, word) => sum * 10_000n + BigInt(word), 0n))
}

const utf8 = new TextDecoder('utf-8')
/** Control characters are replaced as bad bytes are: a report with one of them would be refused with all of its values. */
function characters(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  const text = utf8.decode(end < 0 ? bytes : bytes.subarray(0, end))
  return text.trimEnd().replace(/\p{Cc}/gu, '\uFFFD')
}

/** @param bytes exactly those of the value's registers, in the order of their arrival */
export function decode(shape: ValueShape, bytes: Uint8Array): Decoded {
  const ordered = reordered(bytes, shape)
  if (shape.noValue !== undefined && hexOf(ordered) === shape.noValue.toUpperCase()) return noValue
  const view = new DataView(ordered.buffer, ordered.byteOffset, ordered.byteLength)
  switch (shape.type) {
    case 'bool':
      return good(ordered.some((byte) => byte !== 0) ? 1 : 0)
    case 'bit':
      return good((view.getUint16(0) >> (shape.bit ?? 0)) & 1)
    case 'bits':
      return good((view.getUint16(0) >> (shape.bit ?? 0)) & ((1 << (shape.length ?? 1)) - 1))
    case 'int16':
      return good(view.getInt16(0))
    case 'uint16':
      return good(view.getUint16(0))
    case 'int32':
      return good(view.getInt32(0))
    case 'uint32':
      return good(view.getUint32(0))
    case 'int64':
      return whole(view.getBigInt64(0))
    case 'uint64':
      return whole(view.getBigUint64(0))
    case 'float32':
      return finite(shortFloat(view.getFloat32(0)))
    case 'float64':
      return finite(view.getFloat64(0))
    case 'bcd16':
    case 'bcd32':
      return bcd(ordered)
    case 'mod10k':
      return mod10k(ordered)
    case 'text':
      return good(characters(ordered))
  }
}

/** SunSpec: the power of ten is in a register of its own; 8000h is "not implemented". */
const SCALE_NONE = -32_768
const SCALE_MOST = 10

/** A raw value times ten to the power that was read with it. */
export function powered(decoded: Decoded, power: number): Decoded {
  if (decoded.value === null) return decoded
  if (power === SCALE_NONE) return noValue
  const [value, factor] = [decimalOf(decoded.value), decimalOf(`1e${power}`)]
  if (!value || !factor || Math.abs(power) > SCALE_MOST) return badData
  return good(plainOf(times(value, factor)))
}
