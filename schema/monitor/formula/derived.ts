/**
 * Variables of a template that are computed from others of it [decisions/119]: checked when any of them is saved, and
 * compiled into the platform's part of a plan, with slots instead of names.
 */
import { type DataType, type IoController, qualities, qualityCode } from '../fields.ts'
import { HEARTBEAT_MS } from '../plan/report.ts'
import { chainOf } from './chain.ts'
import { compileFormula } from './compile.ts'
import type { FormulaFault } from './tokens.ts'

/** How long an input is valid; order: variables come after those that they depend on. */
export type SlotFormula = {
  text: string
  order: number
  inputs: readonly { name: string; slot: number; holdMs: number }[]
}

type Named = { name: string; ioController: IoController; formula: string | null; dataType: DataType }
export type DerivedFault = { name: string } & (
  | { fault: FormulaFault }
  | { cycle: readonly string[] }
  | { tooLong: readonly string[] }
)

export const isDerived = ({ ioController }: Pick<Named, 'ioController'>) => ioController === 'formula'

/** Text variables cannot be inputs. */
export const namesOf = (all: readonly Pick<Named, 'name' | 'dataType'>[]): ReadonlySet<string> =>
  new Set(all.filter(({ dataType }) => dataType !== 'text').map(({ name }) => name))

const inputsOf = (text: string, names: ReadonlySet<string>): readonly string[] => {
  const read = compileFormula(text, names)
  return 'formula' in read ? read.formula.inputs : []
}

/** The first fault in the formulas of a template; null if there is none. */
export function derivedFault(all: readonly Named[]): DerivedFault | null {
  const names = namesOf(all)
  const derived = all.filter(isDerived)
  for (const { name, formula } of derived) {
    const read = compileFormula(formula ?? '', names)
    if ('fault' in read) return { name, fault: read.fault }
  }
  const chain = chainOf(new Map(derived.map(({ name, formula }) => [name, inputsOf(formula ?? '', names)])))
  if ('cycle' in chain) return { name: chain.cycle[0] ?? '', cycle: chain.cycle }
  if ('tooLong' in chain) return { name: chain.tooLong[0] ?? '', tooLong: chain.tooLong }
  return null
}

export type Collected = Named & {
  slot: number
  hidden: boolean
  reportType: 'change' | 'cycle' | 'both'
  cycleS: number
}
/** As `STALE_CYCLES`; a value reported on change is valid until its heartbeat. */
export const holdMs = ({ reportType, cycleS }: Pick<Collected, 'reportType' | 'cycleS'>) =>
  2.5 * Math.max(1000 * cycleS, reportType === 'change' ? HEARTBEAT_MS : 0)

/** By slot. A formula that no longer fits has no inputs, so it never has a value. */
export function slotFormulas(all: readonly Collected[]): ReadonlyMap<number, SlotFormula> {
  const names = namesOf(all)
  const byName = new Map(all.map((row) => [row.name, row]))
  const derived = all.filter((row) => isDerived(row) && !row.hidden)
  const read = new Map(derived.map(({ name, formula }) => [name, inputsOf(formula ?? '', names)]))
  const chain = chainOf(read)
  const order = 'order' in chain ? chain.order : []
  return new Map(
    derived.map((row) => {
      const place = order.indexOf(row.name)
      const inputs = (place < 0 ? [] : (read.get(row.name) ?? [])).flatMap((name) => {
        const input = byName.get(name)
        return input ? [{ name, slot: input.slot, holdMs: holdMs(input) }] : []
      })
      return [row.slot, { text: row.formula ?? '', order: place, inputs }]
    }),
  )
}

export type Input = { value: number | null; quality: number }
const formulaError = qualityCode('formulaError')
const uncertainTime = qualityCode('uncertainTime')
const good = qualityCode('good')
const withValue: ReadonlySet<number> = new Set(
  (['good', 'uncertainTime', 'outOfRange'] as const).map((quality) => qualities.indexOf(quality)),
)

/** A bad input makes the result bad, regardless of how the formula uses it. */
export function derivedValue(
  run: (values: readonly (number | null)[]) => number | null,
  inputs: readonly Input[],
): Input {
  const usable = inputs.every(({ value, quality }) => value !== null && withValue.has(quality))
  const value = usable ? run(inputs.map((input) => input.value)) : null
  if (value === null) return { value: null, quality: formulaError }
  return {
    value,
    quality: inputs.some(({ quality }) => quality === uncertainTime) ? uncertainTime : good,
  }
}
