/** Encodes a raw value as the bytes of registers, and as the request that writes it. */
import type { RegisterType } from '../fields.ts'
import { decimalOf } from './decimal.ts'
import { wordsOfBytes } from './pack.ts'
import { type ModbusRequest, WRITE_REGISTERS_MAX } from './pdu.ts'
import { rawBounds, registersOf, reordered, type ValueShape } from './shape.ts'

/** notWritable: the table or the type; offGrid: no such integer; outOfRange: the type does not hold it. */
export type EncodeFault = 'notWritable' | 'offGrid' | 'outOfRange' | 'notNumber' | 'tooLong'
export type Encoded = { bytes: Uint8Array } | { fault: EncodeFault }

/** null: not an integer. */
function wholeOf(raw: number | string): bigint | null {
  const decimal = decimalOf(raw)
  if (!decimal) return null
  const unit = 10n ** BigInt(decimal.scale)
  return decimal.mantissa % unit === 0n ? decimal.mantissa / unit : null
}

function floatBytes(type: 'float32' | 'float64', raw: number | string): Encoded {
  const value = Number(raw)
  if (!Number.isFinite(value) || String(raw).trim() === '') return { fault: 'notNumber' }
  const bytes = new Uint8Array(type === 'float32' ? 4 : 8)
  const view = new DataView(bytes.buffer)
  if (type === 'float64') view.setFloat64(0, value)
  else if (!Number.isFinite(Math.fround(value))) return { fault: 'outOfRange' }
  else view.setFloat32(0, value)
  return { bytes }
}

function textBytes(text: string, registers: number): Encoded {
  const bytes = new Uint8Array(2 * registers)
  const { read } = new TextEncoder().encodeInto(text, bytes)
  return read < text.length ? { fault: 'tooLong' } : { bytes }
}

function integerBytes(shape: ValueShape, raw: number | string): Encoded {
  const whole = wholeOf(raw)
  if (whole === null) return { fault: decimalOf(raw) ? 'offGrid' : 'notNumber' }
  const [low, high] = rawBounds(shape) ?? [whole, whole]
  if (whole < low || whole > high) return { fault: 'outOfRange' }
  const bytes = new Uint8Array(2 * registersOf(shape))
  const base = shape.type === 'mod10k' ? 10_000n : 65_536n
  const decimal = shape.type === 'bcd16' || shape.type === 'bcd32'
  let rest = BigInt.asUintN(8 * bytes.length, decimal ? BigInt(`0x${whole}`) : whole)
  const view = new DataView(bytes.buffer)
  for (let at = bytes.length - 2; at >= 0; at -= 2) {
    view.setUint16(at, Number(rest % base))
    rest /= base
  }
  return { bytes }
}

/** In the order of the wire. `bit` and `bits` are parts of a register: see `writeRequest`. */
export function encode(shape: ValueShape, raw: number | string): Encoded {
  const made =
    shape.type === 'text'
      ? textBytes(String(raw), registersOf(shape))
      : shape.type === 'float32' || shape.type === 'float64'
        ? floatBytes(shape.type, raw)
        : integerBytes(shape, raw)
  return 'fault' in made ? made : { bytes: reordered(made.bytes, shape) }
}

/** The register with these bits replaced: for slaves without function 22, between a read and a write. */
export function withBits(
  word: number,
  shape: Pick<ValueShape, 'bit' | 'length' | 'type'>,
  raw: number,
): number {
  const mask = ((1 << (shape.type === 'bits' ? (shape.length ?? 1) : 1)) - 1) << (shape.bit ?? 0)
  return (word & ~mask & 0xffff) | ((raw << (shape.bit ?? 0)) & mask)
}

export type WriteTarget = { registerType: RegisterType; address: number; shape: ValueShape }

/** @param multiple functions 15 and 16 also for a single coil or register: some slaves know only these */
export function writeRequest(
  { registerType, address, shape }: WriteTarget,
  raw: number | string,
  multiple = false,
): ModbusRequest | { fault: EncodeFault } {
  if (registerType === 'discrete' || registerType === 'input') return { fault: 'notWritable' }
  const part = shape.type === 'bit' || shape.type === 'bits'
  const made =
    registerType === 'coil' ? integerBytes({ type: 'bool', order: 'ABCD' }, raw) : encode(shape, raw)
  if ('fault' in made) return made
  if (registerType === 'coil') {
    const on = made.bytes[1] === 1
    return multiple ? { fn: 15, address, bits: [on] } : { fn: 5, address, on }
  }
  if (part) {
    const bits = { ...shape }
    const or = withBits(0, bits, Number(raw))
    const kept = ~withBits(0, bits, -1) & 0xffff
    // With a swapped order the bits are in the other byte of the register on the wire.
    const [and, set] = [kept, or].map((word) => wordOnWire(word, shape))
    return { fn: 22, address, and: and ?? 0, or: set ?? 0 }
  }
  const words = wordsOfBytes(made.bytes)
  // A text may be longer: it can be read, but one request does not write it.
  if (words.length > WRITE_REGISTERS_MAX) return { fault: 'tooLong' }
  const [word = 0] = words
  return words.length === 1 && !multiple ? { fn: 6, address, word } : { fn: 16, address, words }
}

/** A register's word in the order that it has on the wire, and back. */
export function wordOnWire(word: number, shape: Pick<ValueShape, 'type' | 'order'>): number {
  const bytes = reordered(Uint8Array.of(word >> 8, word & 0xff), shape)
  return ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)
}
