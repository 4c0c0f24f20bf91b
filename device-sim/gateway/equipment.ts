/** Fills the registers of a slave with changing values, from a register list such as a template. */
import type { Access, FunctionType, RegisterType } from '#schema/monitor/fields'
import { encode } from '#schema/monitor/modbus/encode'
import { wordsOfBytes } from '#schema/monitor/modbus/pack'
import { isBitTable, rawBounds, registersOf, type ValueShape } from '#schema/monitor/modbus/shape'
import { valueAt } from './live-value.ts'
import { type Held, Registers, settable } from './registers.ts'

export type Point = ValueShape & {
  readonly name: string
  readonly unit: string
  readonly table: RegisterType
  readonly address: number
  readonly factor: number
  readonly addend: number
  readonly kind: FunctionType
  readonly access: Access
  /** The register with the power of ten that belongs to it. */
  readonly powerAddress?: number | undefined
}

/** SunSpec: tenths, whatever it is. */
const POWER = -1
const POWER_WORD = POWER & 0xffff
const factorOf = ({ factor, powerAddress }: Point) =>
  powerAddress === undefined ? factor : factor * 10 ** POWER

/** The raw number nearest to a value, within what its type can hold. */
function rawOf(point: Point, value: number): number {
  const raw = (value - point.addend) / factorOf(point)
  const bounds = rawBounds(point)
  if (!bounds) return raw
  const [low, high] = bounds.map(Number)
  return Math.min(high ?? raw, Math.max(low ?? raw, Math.round(raw)))
}

function wordsOf(point: Point, seed: string, now: number): number[] {
  if (point.type === 'text') return wordsOfText(point, seed)
  const raw = rawOf(point, valueAt(point, seed, now))
  if (isBitTable(point.table)) return [raw ? 1 : 0]
  if (point.type === 'bit' || point.type === 'bits') return [(raw << (point.bit ?? 0)) & 0xffff]
  const made = encode(point, raw)
  return 'bytes' in made ? wordsOfBytes(made.bytes) : Array.from({ length: registersOf(point) }, () => 0)
}

function wordsOfText(point: Point, seed: string): number[] {
  const made = encode(point, seed.slice(0, 2 * registersOf(point)))
  return 'bytes' in made ? wordsOfBytes(made.bytes) : [0]
}

/** Points of the same register, such as its bits, share it; the first one of them decides how it lives. */
export function equip(points: readonly Point[], seed: string, now: () => number = Date.now): Registers {
  const registers = new Registers()
  for (const point of points) {
    if (registers.read(point.table, point.address, 1)) continue
    registers.put(point.table, point.address, held(point, seed, now))
    if (point.powerAddress !== undefined)
      registers.put(point.table, point.powerAddress, { words: () => [POWER_WORD] })
  }
  return registers
}

function held(point: Point, seed: string, now: () => number): Held {
  if (point.access === 'read') return { words: () => wordsOf(point, seed, now()) }
  // What is set stays; before that it is what the maker delivers.
  return settable(
    point.kind === 'gauge' ? wordsOf(point, seed, 0) : Array.from({ length: sizeOf(point) }, () => 0),
  )
}

const sizeOf = (point: Point) => (isBitTable(point.table) ? 1 : registersOf(point))
