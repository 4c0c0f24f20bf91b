/**
 * Exact decimal arithmetic on the numbers that people wrote: 1005 × 0.001 is 1.005, although the double is a little
 * less, and so it rounds to 1.01. A 64-bit meter beyond 2^53 is exact as well.
 */

/** mantissa × 10^-scale */
export type Decimal = { mantissa: bigint; scale: number }

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i

/** null: not a finite number. */
export function decimalOf(value: number | string): Decimal | null {
  const [, sign, whole = '', part = '', exponent = '0'] = NUMBER.exec(String(value).trim()) ?? []
  if (sign === undefined || whole + part === '') return null
  const mantissa = BigInt(`${sign === '-' ? '-' : ''}${whole}${part}`)
  const scale = part.length - Number(exponent)
  return scale >= 0 ? { mantissa, scale } : { mantissa: mantissa * 10n ** BigInt(-scale), scale: 0 }
}

const widened = ({ mantissa, scale }: Decimal, to: number) => mantissa * 10n ** BigInt(to - scale)

export const times = (a: Decimal, b: Decimal): Decimal => ({
  mantissa: a.mantissa * b.mantissa,
  scale: a.scale + b.scale,
})
export function plus(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  return { mantissa: widened(a, scale) + widened(b, scale), scale }
}
export const minus = (a: Decimal, b: Decimal) => plus(a, { ...b, mantissa: -b.mantissa })

/** To `places` decimal places, half away from zero. */
export function rounded(value: Decimal, places: number): Decimal {
  if (value.scale <= places) return value
  const unit = 10n ** BigInt(value.scale - places)
  const size = value.mantissa < 0n ? -value.mantissa : value.mantissa
  const whole = (size + unit / 2n) / unit
  return { mantissa: value.mantissa < 0n ? -whole : whole, scale: places }
}

export function textOfDecimal({ mantissa, scale }: Decimal): string {
  const digits = (mantissa < 0n ? -mantissa : mantissa).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const part = digits.slice(digits.length - scale).replace(/0+$/, '')
  const sign = mantissa < 0n ? '-' : ''
  return scale > 0 && part !== '' ? `${sign}${whole}.${part}` : `${sign}${whole}`
}

/** A number where a double has all of its digits, else decimal text. */
export function plainOf(value: Decimal): number | string {
  const size = value.mantissa < 0n ? -value.mantissa : value.mantissa
  const text = textOfDecimal(value)
  return size <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(text) : text
}
