/** The computed variables of a plan, compiled once for all terminals that share its slots [decisions/119]. */
import { compileFormula } from '#schema/monitor/formula/compile'
import type { SlotFormula } from '#schema/monitor/formula/derived'
import type { VariableScale } from '#schema/monitor/scale'

type Run = (values: readonly (number | null)[]) => number | null
export type Derived = {
  scale: VariableScale
  inputs: readonly { slot: number; holdMs: number }[]
  run: Run
}

const nothing: Run = () => null
const none: readonly Derived[] = []
/** Cached by the lists of slots that plans share. */
const compiled = new WeakMap<readonly (VariableScale | undefined)[], readonly Derived[]>()

const runOf = ({ text, inputs }: SlotFormula): Run => {
  const read = compileFormula(text, new Set(inputs.map(({ name }) => name)))
  return 'formula' in read ? read.formula.run : nothing
}

export function derivedOf(scales: readonly (VariableScale | undefined)[]): readonly Derived[] {
  const known = compiled.get(scales)
  if (known) return known
  const made = scales
    .flatMap((scale) => (scale?.formula ? [{ scale, formula: scale.formula }] : []))
    .sort((one, other) => one.formula.order - other.formula.order)
    .map(({ scale, formula }) => ({ scale, inputs: formula.inputs, run: runOf(formula) }))
  const list = made.length > 0 ? made : none
  compiled.set(scales, list)
  return list
}
