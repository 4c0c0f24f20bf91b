/** From answers of slaves to values with their quality. */
import type { Quality, RegisterType } from '#schema/monitor/fields'
import { exceptions, type ReadFunction } from '#schema/monitor/modbus/pdu'
import type { Reply } from './wire.ts'

export const readFunctions: Readonly<Record<RegisterType, ReadFunction>> = {
  coil: 1,
  discrete: 2,
  holding: 3,
  input: 4,
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
