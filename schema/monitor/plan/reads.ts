/** The requests of one template, which are the same for all of its terminals. */

import type { DataType } from '../fields.ts'
import { isBitTable, READ_FUNCTIONS, registersOf } from '../modbus/shape.ts'
import type { PlanRead, PlanVariable } from '../wire.ts'
import { coalesce, type Span } from './coalesce.ts'
import { interfacePoint, isInterface } from './interfaces.ts'
import type { TemplateRow, VariableRow } from './rows.ts'

/** Bits that take the time of one register on the line. */
const BITS_OF_REGISTER = 16
const BITS_MAX = 2_000

type Placed = Span & {
  row: VariableRow
  type: DataType
  order: PlanVariable['order']
  fn: PlanRead['fn']
  at: number
  power: number | null
}
/** Its slave, or the interfaces of the gateway itself. */
export type Asked = 'slave' | 'own'
export type TemplateReads = {
  /** The target of each request: indices in `reads`. */
  own: ReadonlySet<number>
  reads: PlanRead[]
  vars: PlanVariable[]
  /** Variables with a power of ten too far away to be read in the same request. */
  tooFar: number[]
}

/** On change and on both: often enough to see it; on cycle no oftener than it is reported. */
const everyMs = ({ reportType, cycleS }: VariableRow, { pollMs }: TemplateRow) =>
  reportType === 'cycle' ? 1000 * cycleS : Math.min(1000 * cycleS, pollMs)

function placed(row: VariableRow, template: TemplateRow): Placed[] {
  const { registerType, address, powerAddress } = row
  if (row.hidden || row.access === 'write') return []
  const point = interfacePoint(row)
  if (point) {
    const { type, address: at } = point
    const fn = READ_FUNCTIONS[point.registerType]
    const count = isBitTable(point.registerType) ? 1 : registersOf({ type })
    return [{ address: at, count, row, type, order: 'ABCD', fn, at, power: null }]
  }
  if (row.ioController !== 'modbus' || registerType === null || address === null) return []
  const bits = isBitTable(registerType)
  const width = bits ? 1 : registersOf({ type: row.dataType, length: row.length ?? undefined })
  const power = bits ? null : powerAddress
  const from = Math.min(address, power ?? address)
  const to = Math.max(address + width, (power ?? address) + 1)
  const order = row.byteOrder ?? template.byteOrder
  const fn = READ_FUNCTIONS[registerType]
  return [{ address: from, count: to - from, row, type: row.dataType, order, fn, at: address, power }]
}

function planned({ row, type, order, at, power }: Placed, read: number, start: number): PlanVariable {
  const { deadband, factor, minIntervalMs, functionType } = row
  // Meters have no deadband: suppressed increments would be missing in the sum.
  // With a tiny factor the quotient is infinite, which JSON does not know: the gateway would refuse the whole plan.
  const raw = functionType === 'counter' ? 0 : Math.min(Math.abs(deadband / factor), Number.MAX_VALUE)
  return {
    slot: row.slot,
    read,
    at: at - start,
    type,
    order,
    ...(row.bit === null ? {} : { bit: row.bit }),
    ...(row.length === null ? {} : { length: row.length }),
    ...(power === null ? {} : { powerAt: power - start }),
    ...(row.noValue ? { noValue: row.noValue.toUpperCase() } : {}),
    report: row.reportType,
    cycleMs: 1000 * row.cycleS,
    ...(raw > 0 ? { deadband: raw } : {}),
    ...(minIntervalMs > 0 ? { minIntervalMs } : {}),
  }
}

export function readsOf(
  template: TemplateRow,
  variables: readonly VariableRow[],
  asked: readonly Asked[],
): TemplateReads {
  const isOwn = ({ ioController }: VariableRow) => isInterface(ioController)
  const all = variables
    .filter((row) => asked.includes(isOwn(row) ? 'own' : 'slave'))
    .flatMap((row) => placed(row, template))
  const fits = ({ count, row }: Placed) => row.powerAddress === null || count <= template.maxRegisters
  const groups = Map.groupBy(
    all.filter(fits),
    ({ row, fn }) => `${isOwn(row) ? 1 : 0} ${fn} ${everyMs(row, template)}`,
  )
  const keys = [...groups.keys()].sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  const reads: PlanRead[] = []
  const vars: PlanVariable[] = []
  const own = new Set<number>()
  for (const key of keys) {
    const [ofGateway = 0, fn = 3, every = 0] = key.split(' ').map(Number)
    const scale = fn <= 2 ? BITS_OF_REGISTER : 1
    const limits = {
      // Addresses between two interfaces of a gateway need not exist.
      maxGap: ofGateway ? 0 : template.maxGap * scale,
      maxRegisters: Math.min(template.maxRegisters * scale, BITS_MAX),
    }
    for (const { address, count, items } of coalesce(groups.get(key) ?? [], limits)) {
      vars.push(...items.map((item) => planned(item, reads.length, address)))
      if (ofGateway) own.add(reads.length)
      reads.push({ fn: fn as PlanRead['fn'], address, count, everyMs: every })
    }
  }
  vars.sort((one, other) => one.slot - other.slot)
  return { reads, vars, own, tooFar: all.filter((item) => !fits(item)).map(({ row }) => row.slot) }
}
