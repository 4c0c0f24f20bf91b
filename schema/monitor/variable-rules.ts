/**
 * Rules between the fields of a variable [§5 Variable]. Form and server run the same functions; rules about a single
 * field are declared with the field.
 */

import type { Fault } from '../kit/fault.ts'
import {
  type Access,
  ADDRESS_MAX,
  type DataType,
  type FunctionType,
  type IoController,
  type RegisterType,
} from './fields.ts'
import { READ_REGISTERS_MAX, WRITE_REGISTERS_MAX } from './modbus/pdu.ts'
import { isBitTable, rawBounds, registersOf } from './modbus/shape.ts'
import { interfaceType, isInterface, isOutput } from './plan/interfaces.ts'

const bitTypes: readonly DataType[] = ['bit', 'bits']
/** Types whose length is not fixed. */
export const sizedTypes: readonly DataType[] = ['bits', 'text', 'mod10k']
/** Of the tables of a slave only two can be written. */
export const isWritable = (type: RegisterType | null | undefined) => type === 'coil' || type === 'holding'

/** The types that a value in this table can have. */
export const fitsTable = (type: DataType, table: RegisterType) => (type === 'bool') === isBitTable(table)

export type VariableFields = {
  ioController: IoController
  functionType?: FunctionType | undefined
  registerType?: RegisterType | null | undefined
  address?: number | null | undefined
  dataType?: DataType | null | undefined
  byteOrder?: string | null | undefined
  bit?: number | null | undefined
  length?: number | null | undefined
  noValue?: string | null | undefined
  powerAddress?: number | null | undefined
  factor: number
  addend: number
  access: Access
  interfaceNumber?: number | null | undefined
  formula?: string | null | undefined
  min?: number | null | undefined
  max?: number | null | undefined
}

/** The smallest and the greatest value that the variable can show; null: no bounds. */
export function valueRange(fields: VariableFields): [number, number] | null {
  const { ioController, dataType, factor, addend, length, powerAddress } = fields
  if (ioController === 'formula') return null
  const type = interfaceType(fields) ?? dataType
  if (!type) return null
  const raw = rawBounds({ type, length: length ?? undefined })
  // A power of ten that is read with it has no bounds worth checking.
  if (typeof powerAddress === 'number') return null
  if (!raw || !Number.isFinite(factor) || factor === 0) return null
  // 15 digits are exact in decimal: 0.1 must not show as 0.1000…01 in an error.
  const scaled = (value: bigint) => Number((Number(value) * factor + addend).toPrecision(15))
  const [a, b] = [scaled(raw[0]), scaled(raw[1])]
  return [Math.min(a, b), Math.max(a, b)]
}

function ofThreshold(value: number | null | undefined, range: [number, number] | null): Fault | null {
  if (value === null || value === undefined || range === null) return null
  if (value < range[0]) return { reason: 'less', n: range[0] }
  return value > range[1] ? { reason: 'greater', n: range[1] } : null
}

function needs(ioController: IoController): readonly (keyof VariableFields)[] {
  if (ioController === 'modbus') return ['registerType', 'address', 'dataType', 'byteOrder']
  if (ioController === 'source') return ['dataType']
  return ioController === 'formula' ? ['formula'] : ['interfaceNumber']
}

/** The type of the others follows from their kind. */
const isTyped = (ioController: IoController) => ioController === 'modbus' || ioController === 'source'

/** The fields that this kind of variable requires. */
function missing(fields: VariableFields): Record<string, Fault> {
  const { ioController, dataType } = fields
  const type = isTyped(ioController) ? dataType : null
  const needed: (keyof VariableFields)[] = [
    ...needs(ioController),
    ...(type && bitTypes.includes(type) ? (['bit'] as const) : []),
    ...(type && sizedTypes.includes(type) ? (['length'] as const) : []),
  ]
  const absent = needed.filter((name) => (fields[name] ?? '') === '')
  return Object.fromEntries(absent.map((name) => [name, { reason: 'required' }]))
}

/** It is read in the same request as the value. */
function ofPower({ address, powerAddress: power }: VariableFields): Fault | null {
  if (typeof address !== 'number' || typeof power !== 'number') return null
  if (power > address + READ_REGISTERS_MAX - 1)
    return { reason: 'greater', n: address + READ_REGISTERS_MAX - 1 }
  const least = Math.max(0, address - READ_REGISTERS_MAX + 1)
  return power < least ? { reason: 'less', n: least } : null
}

/** Two digits a byte, of all registers of the value: one of another width is never found in what was read. */
function ofNoValue({ registerType, dataType, noValue }: VariableFields): Fault | null {
  if (!noValue || !dataType || sizedTypes.includes(dataType) || !registerType || isBitTable(registerType))
    return null
  const n = 4 * registersOf({ type: dataType })
  if (noValue.length < n) return { reason: 'shorter', n }
  return noValue.length > n ? { reason: 'longer', n } : null
}

/** The faults by field; empty if there are none. */
export function variableFaults(fields: VariableFields): Record<string, Fault> {
  const { ioController, registerType, address, dataType, bit, length, access, min, max } = fields
  const faults: Record<string, Fault | null> = missing(fields)
  if (ioController === 'modbus') {
    if (registerType && dataType && !fitsTable(dataType, registerType))
      faults['dataType'] = { reason: 'table' }
    const width = dataType ? registersOf({ type: dataType, length: length ?? undefined }) : 1
    if (typeof address === 'number' && address <= ADDRESS_MAX && address + width - 1 > ADDRESS_MAX)
      faults['address'] = { reason: 'greater', n: ADDRESS_MAX + 1 - width }
    if (access !== 'read' && registerType && !isWritable(registerType))
      faults['access'] = { reason: 'readOnly' }
    // Fewer registers can be written at once than read.
    if (access !== 'read' && width > WRITE_REGISTERS_MAX)
      faults['length'] = { reason: 'greater', n: WRITE_REGISTERS_MAX }
    if (access !== 'read' && typeof fields.powerAddress === 'number') faults['access'] = { reason: 'powered' }
    faults['powerAddress'] = ofPower(fields)
    faults['noValue'] = ofNoValue(fields)
  }
  if (ioController === 'formula' && access !== 'read') faults['access'] = { reason: 'readOnly' }
  if (isInterface(ioController) && !isOutput(ioController) && access !== 'read')
    faults['access'] = { reason: 'readOnly' }
  if (dataType === 'bits' && typeof bit === 'number' && typeof length === 'number' && bit + length > 16)
    faults['length'] = { reason: 'greater', n: 16 - bit }
  const range = valueRange(fields)
  faults['min'] = ofThreshold(min, range)
  faults['max'] =
    ofThreshold(max, range) ??
    (typeof min === 'number' && typeof max === 'number' && max < min ? { reason: 'less', n: min } : null)
  return Object.fromEntries(Object.entries(faults).flatMap(([name, fault]) => (fault ? [[name, fault]] : [])))
}
