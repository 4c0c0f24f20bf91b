/** Variables that are computed from others of their template [decisions/119]. */
import { describe, expect, it } from 'vitest'
import { qualityCode } from '../fields.ts'
import { compileFormula } from './compile.ts'
import { derivedFault, derivedValue, slotFormulas } from './derived.ts'

const measured = (name: string, dataType: 'float32' | 'text' = 'float32') => ({
  name,
  dataType,
  ioController: 'modbus' as const,
  formula: null,
})
const derived = (name: string, formula: string | null) => ({
  name,
  dataType: 'float64' as const,
  ioController: 'formula' as const,
  formula,
})
const inputs = [measured('U'), measured('I'), measured('Model', 'text'), measured('Voltage L1')]

describe('the formulas of a template', () => {
  it('may use its variables, and each other', () => {
    expect(
      derivedFault([...inputs, derived('P', 'U * I'), derived('kW', '{P} / 1000 + {Voltage L1} * 0')]),
    ).toBeNull()
  })
  it.each([
    ['U * X', { reason: 'unknownName', at: 4, text: 'X' }],
    ['Model + 1', { reason: 'unknownName', at: 0 }],
    ['constructor', { reason: 'unknownName' }],
    ['__proto__', { reason: 'unknownName' }],
    ['{__proto__} + {toString}', { reason: 'unknownName' }],
    ['constructor(1)', { reason: 'unknownFunction' }],
    ['U.constructor', { reason: 'unexpected', at: 1 }],
    ['U["constructor"]', { reason: 'unexpected' }],
    [`${'('.repeat(200)}U${')'.repeat(200)}`, { reason: 'tooDeep' }],
    [`${'-'.repeat(400)}U`, { reason: 'tooDeep' }],
    [`${'U+'.repeat(150)}U`, { reason: 'tooMany' }],
    ['U'.repeat(100_000), { reason: 'tooLong' }],
    ['', { reason: 'ended' }],
  ])('%s is refused with its place', (formula, fault) => {
    expect(derivedFault([...inputs, derived('P', formula)])).toMatchObject({ name: 'P', fault })
  })
  it('must not need each other in a circle, nor themselves', () => {
    expect(derivedFault([...inputs, derived('A', 'B + 1'), derived('B', 'A + 1')])).toMatchObject({
      cycle: ['A', 'B', 'A'],
    })
    expect(derivedFault([derived('A', 'A + 1')])).toMatchObject({ cycle: ['A', 'A'] })
  })
  it('build on each other five times at most', () => {
    const chain = Array.from({ length: 6 }, (_, n) => derived(`F${n}`, n === 0 ? 'U' : `F${n - 1} + 1`))
    expect(derivedFault([...inputs, ...chain.slice(0, 5)])).toBeNull()
    expect(derivedFault([...inputs, ...chain])).toMatchObject({ tooLong: expect.anything() })
  })
})

it('names become slots, in the order in which they must be computed', () => {
  const rows = [derived('kW', 'P / 1000'), derived('P', 'U * I'), measured('U'), measured('I')].map(
    (row, slot) => ({
      ...row,
      slot,
      hidden: false,
      reportType: slot === 2 ? ('change' as const) : ('cycle' as const),
      cycleS: 10,
    }),
  )
  const found = slotFormulas(rows)
  expect(found.get(1)).toEqual({
    text: 'U * I',
    order: 0,
    inputs: [
      { name: 'U', slot: 2, holdMs: 9_000_000 },
      { name: 'I', slot: 3, holdMs: 25_000 },
    ],
  })
  expect(found.get(0)).toMatchObject({ order: 1, inputs: [{ slot: 1 }] })
})

describe('a result', () => {
  const value = (text: string, ...given: [number | null, Parameters<typeof qualityCode>[0]][]) => {
    const read = compileFormula(text, new Set(['a', 'b']))
    if (!('formula' in read)) throw new Error(read.fault.reason)
    return derivedValue(
      read.formula.run,
      given.map(([number, quality]) => ({ value: number, quality: qualityCode(quality) })),
    )
  }
  const failed = { value: null, quality: qualityCode('formulaError') }
  it('of a bad input is bad, also where the formula would not look at it', () => {
    expect(value('if(a > 0, a, b)', [1, 'good'], [null, 'timeout'])).toEqual(failed)
  })
  it('that is no finite number is bad', () => {
    expect(value('a / b', [1, 'good'], [0, 'good'])).toEqual(failed)
    expect(value('pow(a, b)', [1e300, 'good'], [9, 'good'])).toEqual(failed)
    expect(value('sqrt(a)', [-1, 'good'])).toEqual(failed)
  })
  it('has an uncertain time if an input has; one out of range is a value', () => {
    expect(value('a + b', [1, 'outOfRange'], [2, 'uncertainTime'])).toEqual({
      value: 3,
      quality: qualityCode('uncertainTime'),
    })
  })
})
