/** Fills the registers of a slave with changing values, from a register list such as a template. */
import type { Access, FunctionType, RegisterType } from '#schema/monitor/fields'
import { encode } from '#schema/monitor/modbus/encode'
import { wordsOfBytes } from '#schema/monitor/modbus/pack'
import { isBitTable, rawBounds, registersOf, type ValueShape } from '#schema/monitor/modbus/shape'
import { type Lively, valueAt } from './live-value.ts'
import { lineOf } from './power-model.ts'
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

/** SunSpec: tenths, but for powers, of which those of all phases would not fit into 16 bits. */
const powerOf = ({ unit }: Point) => (/^(W|VA|var)$/.test(unit) ? 0 : -1)
const factorOf = (point: Point) =>
  point.powerAddress === undefined ? point.factor : point.factor * 10 ** powerOf(point)

/** The raw number nearest to a value, within what its type can hold. */
function rawOf(point: Point, value: number): number {
  const raw = (value - point.addend) / factorOf(point)
  const bounds = rawBounds(point)
  if (!bounds) return raw
  const [low, high] = bounds.map(Number)
  return Math.min(high ?? raw, Math.max(low ?? raw, Math.round(raw)))
}

type Values = (point: Lively, now: number) => number

function wordsOf(point: Point, values: Values, seed: string, now: number): number[] {
  if (point.type === 'text') return wordsOfText(point, seed)
  const raw = rawOf(point, values(point, now))
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
  const line = lineOf(
    points.map(({ name }) => name),
    seed,
  )
  const values: Values = (point, at) => line(point, at) ?? valueAt(point, seed, at)
  for (const point of points) {
    if (registers.read(point.table, point.address, 1)) continue
    registers.put(point.table, point.address, held(point, values, seed, now))
    if (point.powerAddress !== undefined)
      registers.put(point.table, point.powerAddress, { words: () => [powerOf(point) & 0xffff] })
  }
  return registers
}

function held(point: Point, values: Values, seed: string, now: () => number): Held {
  if (point.access === 'read') return { words: () => wordsOf(point, values, seed, now()) }
  // What is set stays; before that it is what the maker delivers.
  return settable(
    point.kind === 'gauge' ? wordsOf(point, values, seed, 0) : Array.from({ length: sizeOf(point) }, () => 0),
  )
}

const sizeOf = (point: Point) => (isBitTable(point.table) ? 1 : registersOf(point))
