/**
 * A test reading of all variables of a template, from equipment that need not be a terminal yet, and the evaluation of
 * its responses.
 */
import type { RawRead } from '../commands/commissioning.ts'
import { type Quality, qualityCode, type RegisterType } from '../fields.ts'
import { bytesOfHex } from '../modbus/hex.ts'
import type { ModbusAnswer } from '../modbus/pdu.ts'
import { heldBy, type StoredValue, storedValue } from '../scale.ts'
import type { PlanRead, PlanVariable } from '../wire.ts'
import { type Asked, readsOf, type TemplateReads } from './reads.ts'
import type { TemplateRow, VariableRow } from './rows.ts'
import { planValue } from './value-of.ts'

/** Each takes about a second. What a template has beyond them is read when the terminal is added. */
const REQUESTS_MAX = 20
export const tableOf = { 1: 'coil', 2: 'discrete', 3: 'holding', 4: 'input' } as const satisfies Record<
  PlanRead['fn'],
  RegisterType
>

export type Step = { read: PlanRead; own: boolean; variables: readonly PlanVariable[] }
/** Where a request brought no answer, all of its variables have its quality. */
export type Tested = StoredValue

/** The requests that a plan would have. @param hasSlave false: the terminal is the gateway itself */
export function testSteps(template: TemplateRow, rows: readonly VariableRow[], hasSlave: boolean): Step[] {
  const asked: Asked[] = hasSlave ? ['slave', 'own'] : ['own']
  const { reads, vars, own }: TemplateReads = readsOf(template, rows, asked)
  return reads.slice(0, REQUESTS_MAX).map((read, i) => ({
    read,
    own: own.has(i),
    variables: vars.filter((variable) => variable.read === i),
  }))
}

/** What the gateway replied, as an answer on the line; null: there is none. */
function answerOf({ fn, count }: PlanRead, { data }: Pick<RawRead, 'data'>): ModbusAnswer | null {
  const bytes = data === undefined ? null : bytesOfHex(data)
  if (!bytes) return null
  if (fn === 3 || fn === 4) return { fn, data: bytes }
  return { fn, bits: Array.from({ length: count }, (_, i) => (((bytes[i >> 3] ?? 0) >> (i & 7)) & 1) === 1) }
}

const BAD_ADDRESS_MAX = 3
function failureOf({ outcome, exception = 0 }: Pick<RawRead, 'outcome' | 'exception'>): Quality {
  if (outcome === 'exception') return exception <= BAD_ADDRESS_MAX ? 'badAddress' : 'deviceError'
  return outcome === 'answered' ? 'badData' : outcome
}

/** The values of one request, by slot. */
export function testedValues(step: Step, rows: readonly VariableRow[], said: RawRead): Map<number, Tested> {
  const answer = answerOf(step.read, said)
  const byRow = new Map(rows.map((row) => [row.slot, row]))
  return new Map(
    step.variables.flatMap((variable) => {
      const row = byRow.get(variable.slot)
      if (!row) return []
      const { value, quality } = answer
        ? planValue(variable, answer)
        : { value: null, quality: failureOf(said) }
      const { formula: _, ...scale } = {
        ...row,
        type: variable.type,
        ...heldBy({ ...row, type: variable.type }),
      }
      return [[variable.slot, storedValue(scale, value, qualityCode(quality))]]
    }),
  )
}
