/** Extracts the values from the response to a request. */
import { type Decoded, decode, powered } from '../modbus/decode.ts'
import type { ModbusAnswer, ModbusException } from '../modbus/pdu.ts'
import { registersOf, type ValueShape } from '../modbus/shape.ts'
import type { PlanVariable } from '../wire.ts'

const badData: Decoded = { value: null, quality: 'badData' }

/** @param at registers or bits after the first one of the answer */
export function valueIn(answer: ModbusAnswer | ModbusException, at: number, shape: ValueShape): Decoded {
  if ('bits' in answer) {
    const bit = answer.bits[at]
    return bit === undefined ? badData : { value: bit ? 1 : 0, quality: 'good' }
  }
  if (!('data' in answer)) return badData
  const bytes = answer.data.slice(2 * at, 2 * (at + registersOf(shape)))
  return bytes.length < 2 * registersOf(shape) ? badData : decode(shape, bytes)
}

/** @param start registers or bits from the first one of the answer to that of the request of the plan */
export function planValue(
  variable: Pick<PlanVariable, 'at' | 'powerAt' | keyof ValueShape>,
  answer: ModbusAnswer,
  start = 0,
): Decoded {
  const decoded = valueIn(answer, variable.at + start, variable)
  if (variable.powerAt === undefined) return decoded
  const power = valueIn(answer, variable.powerAt + start, { type: 'int16', order: 'ABCD' })
  return typeof power.value === 'number' ? powered(decoded, power.value) : power
}
