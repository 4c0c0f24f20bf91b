/**
 * The formula of a rule over variables of one template [decisions/136]: checked when the notice or one of the
 * variables is saved, evaluated by the broker for each sample, and by the workers with the newest values. Any result
 * other than 0 means true.
 */
import { compileFormula, type Formula } from './compile.ts'
import { type Collected, derivedValue, holdMs, type Input, namesOf } from './derived.ts'
import type { FormulaFault } from './tokens.ts'

export type ConditionVariable = Pick<Collected, 'name' | 'dataType' | 'slot' | 'reportType' | 'cycleS'>
export type ConditionInput = { slot: number; holdMs: number; cycleS: number; onChange: boolean }
export type SlotCondition = { inputs: readonly ConditionInput[]; run: Formula['run'] }

/** `noInputs`: no sample would ever cause an evaluation. */
export type ConditionFault = FormulaFault | { reason: 'noInputs'; at: number }

function readCondition(text: string, all: readonly Pick<ConditionVariable, 'name' | 'dataType'>[]) {
  const read = compileFormula(text, namesOf(all))
  return 'formula' in read && read.formula.inputs.length === 0
    ? { fault: { reason: 'noInputs', at: 0 } as const }
    : read
}

export function conditionFault(
  text: string,
  all: readonly Pick<ConditionVariable, 'name' | 'dataType'>[],
): ConditionFault | null {
  const read = readCondition(text, all)
  return 'fault' in read ? read.fault : null
}

/** With slots instead of names; null: it no longer fits its template, so it is never true. */
export function slotCondition(text: string, all: readonly ConditionVariable[]): SlotCondition | null {
  const read = readCondition(text, all)
  if ('fault' in read) return null
  const byName = new Map(all.map((one) => [one.name, one]))
  const inputs = read.formula.inputs.flatMap((name) => {
    const one = byName.get(name)
    return one
      ? [{ slot: one.slot, holdMs: holdMs(one), cycleS: one.cycleS, onChange: one.reportType === 'change' }]
      : []
  })
  return inputs.length === read.formula.inputs.length ? { inputs, run: read.formula.run } : null
}

/** The newest value of an input; null: it was never reported. */
export type Known = Input & { at: number | null }

/** The result at a given time: an input that is stale by then, bad, or was never reported makes it bad. */
export const conditionValue = ({ inputs, run }: SlotCondition, known: readonly Known[], now: number): Input =>
  derivedValue(
    run,
    inputs.map((input, k) => {
      const { at, value, quality } = known[k] ?? { at: null, value: null, quality: 0 }
      return { value: at !== null && now - at <= input.holdMs ? value : null, quality }
    }),
  )

/** A row of `NOTICE_FORMULAS`. */
export type NoticeFormula = { ruleId: number; formula: string; variables: readonly ConditionVariable[] }

/** By notice; one whose formula no longer fits its template has no entry. `cycleMs`: that of the slowest input. */
export const conditionsByNotice = (
  rows: readonly NoticeFormula[],
): ReadonlyMap<number, { condition: SlotCondition; cycleMs: number }> =>
  new Map(
    rows.flatMap(({ ruleId, formula, variables }) => {
      const condition = slotCondition(formula, variables)
      if (!condition) return []
      const cycleMs = 1000 * Math.max(...condition.inputs.map(({ cycleS }) => cycleS))
      return [[ruleId, { condition, cycleMs }] as const]
    }),
  )
