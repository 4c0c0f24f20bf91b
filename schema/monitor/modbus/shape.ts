/** How a value is encoded in registers: its type, the order of its bytes, its size. */
import type { ByteOrder, DataType, RegisterType } from '../fields.ts'

export type ValueShape = {
  type: DataType
  order: ByteOrder
  /** Of `bit` and `bits`: the first one, 0 is the least significant. */
  bit?: number | undefined
  /** Bits of `bits`, registers of `text` and of `mod10k`. */
  length?: number | undefined
  /** Raw bytes that mean "no value", as hexadecimal digits in the order ABCD. */
  noValue?: string | undefined
}

const registersByType: Record<DataType, number> = {
  bool: 1,
  bit: 1,
  bits: 1,
  int16: 1,
  uint16: 1,
  int32: 2,
  uint32: 2,
  int64: 4,
  uint64: 4,
  float32: 2,
  float64: 4,
  bcd16: 1,
  bcd32: 2,
  mod10k: 2,
  text: 1,
}

export const isBitTable = (registerType: RegisterType) =>
  registerType === 'coil' || registerType === 'discrete'

/** The function that reads each table. */
export const READ_FUNCTIONS = { coil: 1, discrete: 2, holding: 3, input: 4 } as const satisfies Record<
  RegisterType,
  number
>

/** Registers that a value takes; in the tables of bits, one bit. */
export const registersOf = ({ type, length }: Pick<ValueShape, 'type' | 'length'>): number =>
  type === 'text' || type === 'mod10k' ? (length ?? registersByType[type]) : registersByType[type]

/** Bounds of the raw number; null: a type without (floats, text). */
export function rawBounds({
  type,
  length,
}: Pick<ValueShape, 'type' | 'length'>): readonly [bigint, bigint] | null {
  switch (type) {
    case 'bool':
    case 'bit':
      return [0n, 1n]
    case 'bits':
      return [0n, (1n << BigInt(length ?? 1)) - 1n]
    case 'bcd16':
      return [0n, 9_999n]
    case 'bcd32':
      return [0n, 99_999_999n]
    case 'mod10k':
      return [0n, 10_000n ** BigInt(length ?? registersByType.mod10k) - 1n]
    case 'int16':
    case 'int32':
    case 'int64': {
      const half = 1n << BigInt(16 * registersByType[type] - 1)
      return [-half, half - 1n]
    }
    case 'uint16':
    case 'uint32':
    case 'uint64':
      return [0n, (1n << BigInt(16 * registersByType[type])) - 1n]
    default:
      return null
  }
}

/**
 * Between the order of arrival and that of ABCD, in both directions: every order is its own inverse. The characters of a
 * text keep their words where they are: only the bytes within them are swapped.
 */
export function reordered(
  bytes: Uint8Array,
  { type, order }: Pick<ValueShape, 'type' | 'order'>,
): Uint8Array {
  const swapsBytes = order === 'BADC' || order === 'DCBA'
  const swapsWords = type !== 'text' && (order === 'CDAB' || order === 'DCBA')
  const last = bytes.length - 2
  return bytes.map((_, i) => {
    const word = swapsWords ? last - (i & ~1) : i & ~1
    return bytes[word + ((i & 1) ^ (swapsBytes ? 1 : 0))] ?? 0
  })
}
