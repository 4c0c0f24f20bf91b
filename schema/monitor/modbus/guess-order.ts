/**
 * Finds the type and byte order for which the read registers match an expected value: for commissioning without a
 * manual.
 */
import { type ByteOrder, byteOrders, type DataType } from '../fields.ts'
import { decode } from './decode.ts'
import { registersOf } from './shape.ts'

export type OrderGuess = {
  type: DataType
  order: ByteOrder
  /** With this factor the decoded number comes near the expected one. */
  factor: number
  value: number
  /** |log10(value ÷ expected)|: 0 is exact. */
  distance: number
  /** Another order gives the same number, as with equal words: read again when the value has changed. */
  undecided: boolean
}

/** Those of a whole number or a floating point number, plainer ones first. */
export const numberTypes = [
  'int16',
  'uint16',
  'int32',
  'uint32',
  'float32',
  'int64',
  'uint64',
  'float64',
  'bcd16',
  'bcd32',
] as const
const WIDTHS_OF_ONE: readonly ByteOrder[] = ['ABCD', 'BADC']
/** About a factor of two. */
const NEAR = 0.3

/** Prefers plainer explanations among equally near ones. */
const weight = ({ factor, type }: OrderGuess) =>
  Math.abs(Math.log10(factor)) + numberTypes.indexOf(type as never) / 100

/**
 * @param bytes of the register where the value begins and those after it
 * @param factors that are tried; meters often count in tenths or thousandths
 */
export function guessOrders(
  bytes: Uint8Array,
  expected: number,
  factors: readonly number[] = [1],
): OrderGuess[] {
  const guesses = numberTypes.flatMap((type) => {
    const size = 2 * registersOf({ type })
    if (bytes.length < size) return []
    const orders = size === 2 ? WIDTHS_OF_ONE : byteOrders
    const decoded = orders.map((order) => ({ order, ...decode({ type, order }, bytes.subarray(0, size)) }))
    return decoded.flatMap(({ order, value }) =>
      factors.flatMap((factor): OrderGuess[] => {
        const number = value === null ? Number.NaN : Number(value) * factor
        const distance = Math.abs(Math.log10(number / expected))
        if (!(distance < NEAR)) return []
        const undecided = decoded.some((other) => other.order !== order && other.value === value)
        return [{ type, order, factor, value: number, distance, undecided }]
      }),
    )
  })
  return guesses.sort((one, other) => one.distance - other.distance || weight(one) - weight(other))
}
