/**
 * Formulas over variables: compiled once into closures, with the names resolved then, from a Map. Truth is 1 and 0.
 */

import { roundedTo } from '../modbus/scale.ts'
import { type BinarySign, type FormulaNode, parseFormula } from './parse.ts'
import { FormulaError, type FormulaFault } from './tokens.ts'

export const INPUTS_MAX = 20

type Run = (values: readonly number[]) => number

const truth = (holds: boolean) => (holds ? 1 : 0)
const not = (value: number) => (Number.isFinite(value) ? truth(value === 0) : Number.NaN)
/**
 * A value that is not a number, as after a division by zero, makes everything computed from it not a number: `a / 0 >
 * 10` is not false, it has no result. A branch that is not evaluated may be not a number: `b != 0 && a / b > 10`.
 */
const ofNumbers = (of: (a: number, b: number) => number) => (a: number, b: number) =>
  Number.isFinite(a) && Number.isFinite(b) ? of(a, b) : Number.NaN
const second = ofNumbers((_, b) => truth(b !== 0))
const binaries = new Map<BinarySign, (a: number, b: number) => number>([
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['*', ofNumbers((a, b) => a * b)],
  ['/', ofNumbers((a, b) => a / b)],
  ['%', ofNumbers((a, b) => a % b)],
  ['<', ofNumbers((a, b) => truth(a < b))],
  ['<=', ofNumbers((a, b) => truth(a <= b))],
  ['>', ofNumbers((a, b) => truth(a > b))],
  ['>=', ofNumbers((a, b) => truth(a >= b))],
  ['==', ofNumbers((a, b) => truth(a === b))],
  ['!=', ofNumbers((a, b) => truth(a !== b))],
  ['&&', (a, b) => (a === 0 ? 0 : second(a, b))],
  ['||', (a, b) => (Number.isFinite(a) && a !== 0 ? 1 : second(a, b))],
])
const chosen = (condition: number, then: number, otherwise: number) =>
  !Number.isFinite(condition) ? Number.NaN : condition !== 0 ? then : otherwise

/** `min` of a number and NaN is NaN; for `if` only the chosen branch counts. */
const numeric =
  (of: (...values: number[]) => number) =>
  (...values: number[]) =>
    values.every(Number.isFinite) ? of(...values) : Number.NaN

type Known = { least: number; most: number; of: (...values: number[]) => number }
/** Half away from zero, in decimal, as values are rounded everywhere. */
const round = (value: number, places = 0) => roundedTo(value, Math.min(10, Math.max(0, Math.trunc(places))))
const functions = new Map<string, Known>([
  ['min', { least: 1, most: INPUTS_MAX, of: numeric(Math.min) }],
  ['max', { least: 1, most: INPUTS_MAX, of: numeric(Math.max) }],
  ['abs', { least: 1, most: 1, of: Math.abs }],
  ['round', { least: 1, most: 2, of: numeric(round) }],
  ['sqrt', { least: 1, most: 1, of: Math.sqrt }],
  ['pow', { least: 2, most: 2, of: numeric((base, exponent) => base ** exponent) }],
  ['clamp', { least: 3, most: 3, of: numeric((value, low, high) => Math.min(Math.max(value, low), high)) }],
  ['if', { least: 3, most: 3, of: chosen }],
])

/** One part of a formula with its result: the steps that the formula tester shows. */
export type FormulaStep = { text: string; value: number | null }

export type Formula = {
  /** Names of the inputs, in the order of the values. */
  inputs: readonly string[]
  /** null: an input is missing, or the result is no finite number (quality formulaError). */
  run: (values: readonly (number | null)[]) => number | null
  steps: (values: readonly (number | null)[]) => FormulaStep[]
}

const finite = (value: number) => (Number.isFinite(value) ? (value === 0 ? 0 : value) : null)
function complete(values: readonly (number | null)[], count: number): values is readonly number[] {
  for (let i = 0; i < count; i++) if (!Number.isFinite(values[i])) return false
  return true
}

/** @param onStep called for each part, the inner ones first */
function compiled(node: FormulaNode, inputs: ReadonlyMap<string, number>, steps: [FormulaNode, Run][]): Run {
  const inner = (part: FormulaNode) => compiled(part, inputs, steps)
  const run = ((): Run => {
    switch (node.kind) {
      case 'number':
        return () => node.value
      case 'input': {
        const place = inputs.get(node.name) ?? -1
        return (values) => values[place] ?? Number.NaN
      }
      case 'unary': {
        const of = inner(node.of)
        return node.sign === '-' ? (values) => -of(values) : (values) => not(of(values))
      }
      case 'binary': {
        const [left, right] = [inner(node.left), inner(node.right)]
        const of = binaries.get(node.sign) ?? (() => Number.NaN)
        return (values) => of(left(values), right(values))
      }
      case 'choice': {
        const [condition, then, otherwise] = [inner(node.condition), inner(node.then), inner(node.otherwise)]
        return (values) => chosen(condition(values), then(values), otherwise(values))
      }
      case 'call': {
        const known = functions.get(node.name)
        if (!known) throw new FormulaError({ reason: 'unknownFunction', at: node.at, text: node.name })
        const count = node.args.length
        if (count < known.least || count > known.most) {
          throw new FormulaError({ reason: 'arguments', at: node.at, text: node.name })
        }
        const args = node.args.map(inner)
        const [first, second] = args
        // The most frequent ones without an array for each evaluation.
        if (first && count === 1) return (values) => known.of(first(values))
        if (first && second && count === 2) return (values) => known.of(first(values), second(values))
        return (values) => known.of(...args.map((arg) => arg(values)))
      }
    }
  })()
  if (node.kind !== 'number') steps.push([node, run])
  return run
}

function namesIn(node: FormulaNode): { name: string; at: number }[] {
  switch (node.kind) {
    case 'number':
      return []
    case 'input':
      return [node]
    case 'unary':
      return namesIn(node.of)
    case 'binary':
      return [...namesIn(node.left), ...namesIn(node.right)]
    case 'choice':
      return [...namesIn(node.condition), ...namesIn(node.then), ...namesIn(node.otherwise)]
    case 'call':
      return node.args.flatMap(namesIn)
  }
}

/** @param known names that may occur */
export function compileFormula(
  text: string,
  known: ReadonlySet<string>,
): { formula: Formula } | { fault: FormulaFault } {
  try {
    const tree = parseFormula(text)
    const used = namesIn(tree)
    for (const { name, at } of used) {
      if (!known.has(name)) throw new FormulaError({ reason: 'unknownName', at, text: name })
    }
    const inputs = [...new Set(used.map(({ name }) => name))]
    if (inputs.length > INPUTS_MAX) throw new FormulaError({ reason: 'tooManyInputs', at: 0 })
    const parts: [FormulaNode, Run][] = []
    const run = compiled(tree, new Map(inputs.map((name, i) => [name, i])), parts)
    return {
      formula: {
        inputs,
        run: (values) => (complete(values, inputs.length) ? finite(run(values)) : null),
        steps: (values) =>
          parts.map(([{ at, to }, part]) => ({
            text: text.slice(at, to),
            value: complete(values, inputs.length) ? finite(part(values)) : null,
          })),
      },
    }
  } catch (error) {
    if (error instanceof FormulaError) return { fault: error.fault }
    throw error
  }
}
