import { expect, it } from 'vitest'
import type { RawRead } from '../commands/commissioning.ts'
import { qualityCode } from '../fields.ts'
import type { TemplateRow, VariableRow } from './rows.ts'
import { testedValues, testSteps } from './test-read.ts'

const template: TemplateRow = {
  id: 1,
  byteOrder: 'CDAB',
  maxGap: 8,
  maxRegisters: 125,
  timeoutMs: 500,
  pauseMs: 0,
  connectDelayMs: 0,
  retries: 2,
  pollMs: 5_000,
}
const row = (slot: number, changed: Partial<VariableRow>): VariableRow => ({
  templateId: 1,
  name: `V${slot}`,
  slot,
  registerType: 'holding',
  address: 0,
  dataType: 'uint16',
  byteOrder: null,
  bit: null,
  length: null,
  noValue: null,
  powerAddress: null,
  factor: 0.1,
  addend: 0,
  precision: 1,
  functionType: 'gauge',
  access: 'read',
  min: null,
  max: 40,
  reportType: 'both',
  cycleS: 60,
  deadband: 0,
  minIntervalMs: 0,
  ioController: 'modbus',
  interfaceNumber: null,
  formula: null,
  hidden: false,
  ...changed,
})
const rows = [
  row(0, { dataType: 'float32', factor: 1, max: null }),
  row(1, { address: 2 }),
  row(2, { registerType: 'coil', dataType: 'bool', address: 9, factor: 1, max: null }),
  row(3, { registerType: null, address: null, ioController: 'digitalInput', interfaceNumber: 2, factor: 1 }),
]
const said = (more: Partial<RawRead>): RawRead => ({
  outcome: 'answered',
  sent: '',
  received: '',
  tookMs: 1,
  ...more,
})

it('asks what a plan would ask: its slave, and the gateway for its own inputs', () => {
  const steps = testSteps(template, rows, true)
  expect(steps.map(({ read: { fn, address, count }, own }) => [fn, address, count, own])).toEqual([
    [1, 9, 1, false],
    [3, 0, 3, false],
    [2, 1, 1, true],
  ])
  expect(testSteps(template, rows, false).map(({ own }) => own)).toEqual([true])
})

it('shows values as they would be stored, or why there is none', () => {
  const [coil, holding] = testSteps(template, rows, true)
  if (!coil || !holding) throw new Error('no requests')
  // 231.4 with its words exchanged; 455 is 45.5, beyond the limit of 40.
  const values = testedValues(holding, rows, said({ data: '6666436701C7' }))
  expect(values.get(0)).toMatchObject({ value: 231.4, quality: 0 })
  expect(values.get(1)).toMatchObject({ value: 45.5, quality: qualityCode('outOfRange') })
  expect(testedValues(coil, rows, said({ data: '01' })).get(2)).toMatchObject({ value: 1, quality: 0 })
  const failed = testedValues(coil, rows, said({ outcome: 'exception', exception: 2 }))
  expect(failed.get(2)).toEqual({ value: null, text: null, quality: qualityCode('badAddress') })
  expect(testedValues(coil, rows, said({ outcome: 'timeout' })).get(2)?.quality).toBe(qualityCode('timeout'))
})
