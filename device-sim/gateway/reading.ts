/** Converts responses of slaves to values with their quality. */
import type { Quality, RegisterType } from '#schema/monitor/fields'
import { exceptions, type ReadFunction } from '#schema/monitor/modbus/pdu'
import type { Reply } from './wire.ts'

export const readFunctions: Readonly<Record<RegisterType, ReadFunction>> = {
  coil: 1,
  discrete: 2,
  holding: 3,
  input: 4,
}

/** The quality that a reply without values implies; null if it has values. */
export function failureOf({ answer, problem }: Reply): Quality | null {
  if (problem !== null) return problem
  if (!answer || !('exception' in answer)) return null
  const { exception } = answer
  if (exception === exceptions.targetSilent) return 'timeout'
  if (exception === exceptions.noPath) return 'noPath'
  return exception <= exceptions.illegalValue ? 'badAddress' : 'deviceError'
}

/** Whether the slave responds, even if only with an exception; exceptions of a converter do not count. */
export function isFromSlave({ answer, problem }: Reply): boolean {
  if (problem !== null || !answer) return false
  return (
    !('exception' in answer) ||
    (answer.exception !== exceptions.targetSilent && answer.exception !== exceptions.noPath)
  )
}
