/** Converts between the raw number of a register and the displayed value: value = raw × factor + addend, rounded. */
import { decimalOf, minus, plainOf, plus, rounded, textOfDecimal, times } from './decimal.ts'

export type Scale = { factor: number; addend: number; precision: number }

/** Closer to a half than this, a double cannot decide in which direction to round. */
const HALF_MARGIN = 1e-6
/** Up to here a double has at least ten bits left below the half. */
const QUICK_MAX = 2 ** 42
const POWERS = Array.from({ length: 16 }, (_, n) => Number(`1e${n}`))

function exactly(raw: number | string, scale: Scale): number | string | null {
  const [number, factor, addend] = [decimalOf(raw), decimalOf(scale.factor), decimalOf(scale.addend)]
  if (!number || !factor || !addend) return null
  const value = plainOf(rounded(plus(times(number, factor), addend), scale.precision))
  // Doubles that overflow their digits stay numbers: only integers came as text.
  return typeof raw === 'number' ? Number(value) : value
}

/**
 * Half away from zero, in decimal. 64-bit integers come as text and leave as text where a double would lose digits.
 * null: not a number (NaN, an infinity, a text that is none).
 */
export function scaled(raw: number | string, scale: Scale): number | string | null {
  if (typeof raw === 'string') return exactly(raw, scale)
  const power = POWERS[scale.precision] ?? 10 ** scale.precision
  const shifted = (raw * scale.factor + scale.addend) * power
  const size = Math.abs(shifted)
  if (!(size < QUICK_MAX)) return Number.isFinite(raw) ? exactly(raw, scale) : null
  const whole = Math.round(size)
  // A sum of large opposite parts has lost digits that its size does not show.
  const lost = Math.abs(scale.addend) * power >= QUICK_MAX
  if (lost || Math.abs(size - Math.floor(size) - 0.5) < HALF_MARGIN + size * 1e-12) return exactly(raw, scale)
  const value = whole / power
  return shifted < 0 && value !== 0 ? -value : value
}

/** Half away from zero, in decimal. NaN stays NaN. */
export const roundedTo = (value: number, places: number): number =>
  Number(scaled(value, { factor: 1, addend: 0, precision: places }) ?? Number.NaN)

/** Places beyond which a written number cannot differ from a raw float. */
const FLOAT_PLACES = 17

/**
 * The raw number of a value. null: no number. An integer type can have only values on its grid: `{ offGrid }` then, with
 * the two that are nearest.
 */
export function unscaled(
  value: number | string,
  { factor, addend }: Pick<Scale, 'factor' | 'addend'>,
  integer: boolean,
): { raw: number | string } | { offGrid: readonly [below: number | string, above: number | string] } | null {
  const [wanted, by, shift] = [decimalOf(value), decimalOf(factor), decimalOf(addend)]
  if (!wanted || !by || !shift || by.mantissa === 0n) return null
  const rest = minus(wanted, shift)
  if (!integer) return { raw: Number(textOfDecimal(rest)) / Number(textOfDecimal(by)) }
  const scale = Math.min(Math.max(rest.scale, by.scale), FLOAT_PLACES * 20)
  const over = rest.mantissa * 10n ** BigInt(scale - rest.scale)
  const under = by.mantissa * 10n ** BigInt(scale - by.scale)
  const [quotient, remainder] = [over / under, over % under]
  if (remainder === 0n) return { raw: plainOf({ mantissa: quotient, scale: 0 }) }
  const positive = over < 0n === under < 0n
  const near = [quotient, positive ? quotient + 1n : quotient - 1n]
    .map((raw) => plus(times({ mantissa: raw, scale: 0 }, by), shift))
    .map(plainOf)
    .sort((one, other) => Number(one) - Number(other))
  return { offGrid: [near[0] ?? 0, near[1] ?? 0] }
}
