/** From answers of slaves to values with their quality. */
import type { Quality, RegisterType } from '#schema/monitor/fields'
import { type Decoded, decode } from '#schema/monitor/modbus/decode'
import {
  exceptions,
  type ModbusAnswer,
  type ModbusException,
  type ReadFunction,
} from '#schema/monitor/modbus/pdu'
import { registersOf, type ValueShape } from '#schema/monitor/modbus/shape'
import type { Reply } from './wire.ts'

export const readFunctions: Readonly<Record<RegisterType, ReadFunction>> = {
  coil: 1,
  discrete: 2,
  holding: 3,
  input: 4,
}

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

/** What a reply without values says about the values. null: it has some. */
export function failureOf({ answer, problem }: Reply): Quality | null {
  if (problem !== null) return problem
  if (!answer || !('exception' in answer)) return null
  const { exception } = answer
  if (exception === exceptions.targetSilent) return 'timeout'
  if (exception === exceptions.noPath) return 'noPath'
  return exception <= exceptions.illegalValue ? 'badAddress' : 'deviceError'
}

/** The slave exists and answers, if only with an exception; those of a converter are not its own. */
export function isFromSlave({ answer, problem }: Reply): boolean {
  if (problem !== null || !answer) return false
  return (
    !('exception' in answer) ||
    (answer.exception !== exceptions.targetSilent && answer.exception !== exceptions.noPath)
  )
}
