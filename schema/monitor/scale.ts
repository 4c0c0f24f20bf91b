/** From the raw value of a slot to the value that is stored, by what the plan said when it was read. Pure. */
import { type DataType, hasValue, qualities, qualityCode } from './fields.ts'

export type VariableScale = {
  slot: number
  type: DataType
  factor: number
  addend: number
  /** Decimal places. */
  precision: number
  /** Outside of them a value is kept, with the quality outOfRange. */
  min: number | null
  max: number | null
}
/** By terminal. */
export type PlanScales = Readonly<Record<string, readonly VariableScale[]>>

const POWERS = Array.from({ length: 16 }, (_, places) => 10 ** places)
/** Some units in the last place: 1005 × 0.001 is 1.01, although the product lies just below 1.005. */
const HALF = 0.5
const SLACK = 1 + 2 ** -50

/** Rounded in decimal, half away from zero. Numbers without decimal places in a double stay as they are. */
export function roundDecimal(value: number, places: number): number {
  const power = POWERS[places] ?? 1
  const size = Math.abs(value) * power
  if (!(size < 2 ** 52)) return value
  const whole = Math.floor(size * SLACK + HALF) / power
  return value < 0 && whole !== 0 ? -whole : whole
}

const DECIMAL = /^-?\d{1,20}$/
const good = qualityCode('good')
const badData = qualityCode('badData')
const outOfRange = qualityCode('outOfRange')
const withValue = qualities.map(hasValue)

/** A stored value. Exactly one of `value` and `text`, or both for an integer that a double cannot hold; neither: see quality. */
export type StoredValue = { value: number | null; text: string | null; quality: number }

const nothing = (quality: number): StoredValue => ({ value: null, text: null, quality })

/** The number for one raw value; NaN: it does not fit its type. */
function numberOf({ type, factor, addend, precision }: VariableScale, raw: number | string): number {
  const from64 = typeof raw === 'string' && (type === 'int64' || type === 'uint64') && DECIMAL.test(raw)
  if (typeof raw === 'string' && !from64) return Number.NaN
  const value = roundDecimal(Number(raw) * factor + addend, precision)
  return Number.isFinite(value) ? value : Number.NaN
}

/** @param quality as the gateway said; its own outOfRange means nothing, because it knows no bounds. */
export function storedValue(scale: VariableScale, raw: number | string | null, quality: number): StoredValue {
  if (!withValue[quality]) return nothing(quality)
  if (raw === null) return nothing(badData)
  if (scale.type === 'text')
    return typeof raw === 'string' ? { value: null, text: raw, quality } : nothing(badData)
  const value = numberOf(scale, raw)
  if (Number.isNaN(value)) return nothing(badData)
  const exact = typeof raw === 'string' && scale.factor === 1 && scale.addend === 0 ? raw : null
  const { min, max } = scale
  if ((min !== null && value < min) || (max !== null && value > max))
    return { value, text: exact, quality: outOfRange }
  return { value, text: exact, quality: quality === outOfRange ? good : quality }
}
