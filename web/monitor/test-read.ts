/** Reads all variables of a template once, through the gateway, from equipment that need not be a terminal yet. */
import { type RawRead, readRegisters } from '#schema/monitor/commands/commissioning'
import { type Quality, qualityCode, type RegisterType } from '#schema/monitor/fields'
import { bytesOfHex } from '#schema/monitor/modbus/hex'
import type { ModbusAnswer } from '#schema/monitor/modbus/pdu'
import { type Asked, readsOf, type TemplateReads } from '#schema/monitor/plan/reads'
import type { TemplateRow, VariableRow } from '#schema/monitor/plan/rows'
import { planValue } from '#schema/monitor/plan/value-of'
import { type StoredValue, storedValue } from '#schema/monitor/scale'
import type { PlanRead, PlanVariable } from '#schema/monitor/wire'
import { commandText } from '../command/command-banner.tsx'
import type { Target } from '../command/commands.ts'
import { type Line, lineArgs } from './modbus-line.tsx'
import { runCommand } from './run-command.ts'

/** Each takes about a second. What a template has beyond them is read when the terminal is added. */
const REQUESTS_MAX = 20
const tables = { 1: 'coil', 2: 'discrete', 3: 'holding', 4: 'input' } as const satisfies Record<
  PlanRead['fn'],
  RegisterType
>

export type Step = { read: PlanRead; own: boolean; variables: readonly PlanVariable[] }
/** Where a request brought no answer, all of its variables have its quality. */
export type Tested = StoredValue

/** The requests that a plan would have. */
export function testSteps(template: TemplateRow, rows: readonly VariableRow[], line: Line): Step[] {
  const asked: Asked[] = line.kind === 'own' ? ['own'] : ['slave', 'own']
  const { reads, vars, own }: TemplateReads = readsOf(template, rows, asked)
  return reads.slice(0, REQUESTS_MAX).map((read, i) => ({
    read,
    own: own.has(i),
    variables: vars.filter((variable) => variable.read === i),
  }))
}

/** What the gateway replied, as an answer on the line; null: there is none. */
export function answerOf({ fn, count }: PlanRead, { data }: Pick<RawRead, 'data'>): ModbusAnswer | null {
  const bytes = data === undefined ? null : bytesOfHex(data)
  if (!bytes) return null
  if (fn === 3 || fn === 4) return { fn, data: bytes }
  return { fn, bits: Array.from({ length: count }, (_, i) => (((bytes[i >> 3] ?? 0) >> (i & 7)) & 1) === 1) }
}

const BAD_ADDRESS_MAX = 3
export function failureOf({ outcome, exception = 0 }: Pick<RawRead, 'outcome' | 'exception'>): Quality {
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
      const { formula: _, ...scale } = { ...row, type: variable.type }
      return [[variable.slot, storedValue(scale, value, qualityCode(quality))]]
    }),
  )
}

type Options = { target: Target; line: Line; steps: readonly Step[]; rows: readonly VariableRow[] }

/**
 * One request after the other; `told` hears of each. Ends with the first that the gateway could not carry out.
 * @returns why it ended early; null: it did not
 */
export async function testRead(
  { target, line, steps, rows }: Options,
  signal: AbortSignal,
  told: (values: ReadonlyMap<number, Tested>) => void,
): Promise<string | null> {
  for (const step of steps) {
    const { fn, address, count } = step.read
    const args = {
      ...(step.own ? { kind: 'own' } : lineArgs(line)),
      unit: step.own ? 0 : line.unit,
      timeoutMs: line.timeoutMs,
      table: tables[fn],
      address,
      count,
    }
    const row = await runCommand(target, readRegisters.name, args, signal)
    if (!row || signal.aborted) return null
    if (!row.result) return commandText(row, Date.now())
    told(testedValues(step, rows, row.result as RawRead))
  }
  return null
}
