/** Converts the raw value of a slot to the stored value, by the plan with which it was read. Pure. */
import { type DataType, hasValue, qualities, qualityCode } from './fields.ts'
import type { SlotFormula } from './formula/derived.ts'
import { scaled } from './modbus/scale.ts'
import { rawBounds } from './modbus/shape.ts'

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
  /** Computed by the platform, never reported. */
  formula?: SlotFormula
  /**
   * What its registers can hold: a raw value that is not whole, or outside of this, was not read from them. Absent for floats and
   * texts, and with a power of ten, by which the gateway has multiplied the raw value.
   */
  holds?: readonly [least: number, most: number]
}
/** By terminal. */
export type PlanScales = Readonly<Record<string, readonly VariableScale[]>>

/** For `holds`; nothing if every number is possible. */
export function heldBy(of: {
  type: DataType
  length: number | null
  powerAddress: number | null
}): Pick<VariableScale, 'holds'> {
  const bounds = of.powerAddress === null && rawBounds({ type: of.type, length: of.length ?? undefined })
  return bounds ? { holds: [Number(bounds[0]), Number(bounds[1])] } : {}
}

/** A row of a variable. */
export type Scaled = Pick<VariableScale, 'slot' | 'factor' | 'addend' | 'precision' | 'min' | 'max'> & {
  dataType: DataType
  length: number | null
  powerAddress: number | null
}

/** @param formula of a computed one; @param type of its registers, if its interface prescribes another */
export function scaleOf(row: Scaled, formula: SlotFormula | undefined, type = row.dataType): VariableScale {
  const { slot, factor, addend, precision, min, max } = row
  const how = formula ? { formula } : heldBy({ ...row, type })
  return { slot, type, factor, addend, precision, min, max, ...how }
}

/** A double cannot tell the bounds of 64 bits from the numbers next to them; in text they are exact. */
function isHeld(raw: number | string, { holds, type }: VariableScale): boolean {
  if (!holds) return true
  const number = Number(raw)
  if (!Number.isInteger(number) || number < holds[0] || number > holds[1]) return false
  const bounds = typeof raw === 'string' && type !== 'mod10k' ? rawBounds({ type }) : null
  return !bounds || (BigInt(raw) >= bounds[0] && BigInt(raw) <= bounds[1])
}

/** Decimal registers may hold more digits than 64 bits: as many as a report takes as text. */
const DECIMAL = /^-?\d{1,250}$/
const isWide: Partial<Record<DataType, boolean>> = { int64: true, uint64: true, mod10k: true }
const good = qualityCode('good')
const badData = qualityCode('badData')
const outOfRange = qualityCode('outOfRange')
const withValue = qualities.map(hasValue)

/** A stored value. Exactly one of `value` and `text`, or both for an integer that a double cannot hold; neither: see quality. */
export type StoredValue = { value: number | null; text: string | null; quality: number }

const nothing = (quality: number): StoredValue => ({ value: null, text: null, quality })

/** @param quality as the gateway said; its own outOfRange means nothing, because it knows no bounds. */
export function storedValue(scale: VariableScale, raw: number | string | null, quality: number): StoredValue {
  if (!withValue[quality]) return nothing(quality)
  if (raw === null) return nothing(badData)
  if (scale.type === 'text')
    return typeof raw === 'string' ? { value: null, text: raw, quality } : nothing(badData)
  if (typeof raw === 'string' && !(isWide[scale.type] && DECIMAL.test(raw))) return nothing(badData)
  if (!isHeld(raw, scale)) return nothing(badData)
  const said = scaled(raw, scale)
  const value = Number(said)
  if (said === null || !Number.isFinite(value)) return nothing(badData)
  const exact = typeof said === 'string' ? said : null
  const { min, max } = scale
  if ((min !== null && value < min) || (max !== null && value > max))
    return { value, text: exact, quality: outOfRange }
  return { value, text: exact, quality: quality === outOfRange ? good : quality }
}
