/** Every template of the library has simulated equipment that it can be tried on. */
import { describe, expect, it } from 'vitest'
import { answerBytes } from '#schema/monitor/modbus/answer'
import { powered } from '#schema/monitor/modbus/decode'
import type { ModbusAnswer } from '#schema/monitor/modbus/pdu'
import { isBitTable, registersOf } from '#schema/monitor/modbus/shape'
import { valueIn } from '#schema/monitor/plan/value-of'
import { simulatedEquipment } from '#schema/monitor/simulated'
import { readFunctions } from './reading.ts'
import { slaveOf } from './simulated-slaves.ts'

describe.each(simulatedEquipment)('slave $unit, $template.key', ({ unit, template }) => {
  const { registers } = slaveOf(template, unit)

  it.each(template.variables)('has $key', (variable) => {
    const { registerType, address, dataType, byteOrder, factor, min, max } = variable
    const shape = { ...variable, type: dataType, order: byteOrder ?? template.byteOrder }
    const words = registers.read(registerType, address, isBitTable(registerType) ? 1 : registersOf(shape))
    if (!words) throw new Error('it does not exist')
    const fn = readFunctions[registerType]
    const bytes = words.flatMap((word) => [word >> 8, word & 0xff])
    const answer: ModbusAnswer =
      fn === 1 || fn === 2 ? { fn, bits: words.map(Boolean) } : { fn, data: Uint8Array.from(bytes) }
    expect(answerBytes(answer).length).toBeLessThan(253)
    const raw = valueIn(answer, 0, shape)
    const power = variable.powerAddress && registers.read(registerType, variable.powerAddress, 1)?.[0]
    const { value, quality } = power ? powered(raw, (power << 16) >> 16) : raw
    expect(quality).toBe('good')
    if (typeof value !== 'number') return
    if (min !== undefined) expect(value * factor).toBeGreaterThanOrEqual(min)
    if (max !== undefined) expect(value * factor).toBeLessThanOrEqual(max)
  })
})

it('changes over time: levels drift and meters grow, and neighbouring registers are consistent', () => {
  const meter = simulatedEquipment.find(({ template }) => template.key === 'eastron-sdm630')
  if (!meter) throw new Error('no meter')
  const { registers } = slaveOf(meter.template, meter.unit)
  expect(registers.read('input', 0, 2)).toHaveLength(2)
  // Between its values there is nothing.
  expect(registers.read('input', 80, 2)).toBeNull()
})
