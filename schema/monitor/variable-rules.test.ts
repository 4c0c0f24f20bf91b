import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { holds } from '../kit/condition.ts'
import { formOf } from '../kit/form.ts'
import { variableFields } from './variable.ts'
import { type VariableFields, valueRange, variableFaults } from './variable-rules.ts'

const whole: VariableFields = {
  ioController: 'modbus',
  registerType: 'holding',
  address: 0,
  dataType: 'int32',
  byteOrder: 'ABCD',
  factor: 1,
  addend: 0,
  access: 'read',
}
const faults = (changes: Partial<VariableFields>) => variableFaults({ ...whole, ...changes })

describe('a variable', () => {
  it('[§5 Variable] int32 and uint32 have the thresholds of their type', () => {
    expect(faults({ min: -2_147_483_648, max: 2_147_483_647 })).toEqual({})
    expect(faults({ min: -2_147_483_649 })).toEqual({ min: { reason: 'less', n: -2_147_483_648 } })
    expect(faults({ max: 2_147_483_648 })).toEqual({ max: { reason: 'greater', n: 2_147_483_647 } })
    expect(faults({ dataType: 'uint32', min: 0, max: 4_294_967_295 })).toEqual({})
    expect(faults({ dataType: 'uint32', min: -1 })).toEqual({ min: { reason: 'less', n: 0 } })
    expect(faults({ dataType: 'uint32', max: 4_294_967_296 })).toEqual({
      max: { reason: 'greater', n: 4_294_967_295 },
    })
  })

  it('has thresholds in its own unit: the bounds of the type are scaled', () => {
    expect(valueRange({ ...whole, dataType: 'int16', factor: -0.1, addend: 5 })).toEqual([-3271.7, 3281.8])
    expect(faults({ dataType: 'uint16', factor: 0.1, max: 6553.6 })).toHaveProperty('max')
    expect(faults({ dataType: 'float32', min: -1e30, max: 1e30 })).toEqual({})
  })

  it('has an upper threshold that is not below the lower one', () => {
    expect(faults({ min: 10, max: 9 })).toEqual({ max: { reason: 'less', n: 10 } })
    expect(faults({ min: 10, max: 10 })).toEqual({})
  })

  it('ends before register 65536', () => {
    expect(faults({ address: 65_534 })).toEqual({})
    expect(faults({ address: 65_535 })).toEqual({ address: { reason: 'greater', n: 65_534 } })
    expect(faults({ dataType: 'text', length: 4, address: 65_533 })).toEqual({
      address: { reason: 'greater', n: 65_532 },
    })
    expect(faults({ dataType: 'float64', address: 65_533 })).toHaveProperty('address')
  })

  it('of SunSpec has its power of ten near, no bounds of its type, and is not written', () => {
    const power = (changes: Partial<VariableFields>) =>
      faults({ address: 200, dataType: 'uint16', ...changes })
    expect(power({ powerAddress: 324, max: 1e6 })).toEqual({})
    expect(power({ powerAddress: 76 })).toEqual({})
    expect(power({ powerAddress: 325 })).toEqual({ powerAddress: { reason: 'greater', n: 324 } })
    expect(power({ powerAddress: 75 })).toEqual({ powerAddress: { reason: 'less', n: 76 } })
    expect(power({ powerAddress: 210, access: 'readWrite' })).toEqual({ access: { reason: 'powered' } })
  })

  it('has a "no value" as wide as its registers: another one is never found, and shows as a value', () => {
    expect(faults({ noValue: '8000' })).toEqual({ noValue: { reason: 'shorter', n: 8 } })
    expect(faults({ noValue: '80000000' })).toEqual({})
    expect(faults({ dataType: 'uint16', noValue: 'FFFFFFFF' })).toEqual({
      noValue: { reason: 'longer', n: 4 },
    })
    expect(faults({ registerType: 'coil', dataType: 'bool', noValue: '' })).toEqual({})
  })

  it('has a type that its table can hold', () => {
    expect(faults({ registerType: 'coil' })).toEqual({ dataType: { reason: 'table' } })
    expect(faults({ dataType: 'bool' })).toEqual({ dataType: { reason: 'table' } })
    expect(faults({ registerType: 'discrete', dataType: 'bool' })).toEqual({})
  })

  it('is written only where the slave can be', () => {
    expect(faults({ registerType: 'input', access: 'readWrite' })).toEqual({ access: { reason: 'readOnly' } })
    expect(faults({ access: 'write' })).toEqual({})
    const text = { dataType: 'text', length: 124 } as const
    expect(faults(text)).toEqual({})
    expect(faults({ ...text, access: 'readWrite' })).toEqual({ length: { reason: 'greater', n: 123 } })
    expect(faults({ ...text, access: 'write', length: 123 })).toEqual({})
  })

  it('must have the fields that its kind requires', () => {
    expect(Object.keys(faults({ registerType: null, address: null }))).toEqual(['registerType', 'address'])
    expect(Object.keys(faults({ dataType: 'bits' }))).toEqual(['bit', 'length'])
    expect(Object.keys(faults({ ioController: 'relay', registerType: null }))).toEqual(['interfaceNumber'])
    const untyped = { registerType: null, dataType: null, byteOrder: null }
    expect(faults({ ...untyped, ioController: 'relay', interfaceNumber: 2 })).toEqual({})
    expect(faults({ ...untyped, ioController: 'analogInput', interfaceNumber: 2 })).toEqual({})
    expect(Object.keys(faults({ ...untyped, ioController: 'source' }))).toEqual(['dataType'])
    expect(Object.keys(faults({ dataType: null, byteOrder: null }))).toEqual(['dataType', 'byteOrder'])
    expect(faults({ dataType: 'bits', bit: 12, length: 5 })).toEqual({ length: { reason: 'greater', n: 4 } })
  })
})

it.each(['formula', 'source', 'relay'])(
  'a form asks for nothing of a register of what is no slave: %s',
  (ioController) => {
    // As a new one begins; what another controller asked for stays in the form, and is not shown.
    const begun = { ioController, registerType: 'holding', dataType: 'uint16' }
    const asked = formOf(z.object(variableFields)).filter(
      ({ when }) => when === undefined || holds(when, begun),
    )
    const ofRegisters = ['registerType', 'address', 'byteOrder', 'noValue', 'powerAddress']
    expect(asked.map(({ name }) => name).filter((name) => ofRegisters.includes(name))).toEqual([])
  },
)
