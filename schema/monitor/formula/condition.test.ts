/** Formulas of notices: what is refused, and what they come to when values are old, bad or missing. */
import { describe, expect, it } from 'vitest'
import { qualityCode } from '../fields.ts'
import { type ConditionVariable, conditionFault, conditionValue, slotCondition } from './condition.ts'
import { formulaName } from './tokens.ts'

const variable = (name: string, slot: number, over: Partial<ConditionVariable> = {}): ConditionVariable => ({
  name,
  slot,
  dataType: 'float32',
  reportType: 'both',
  cycleS: 10,
  ...over,
})
const all = [
  variable('T', 1),
  variable('P', 4, { reportType: 'change' }),
  variable('Voltage L1', 7),
  variable('Model', 2, { dataType: 'text' }),
]

it.each([
  ['T > 80 && X < 2', { reason: 'unknownName', at: 10 }],
  ['Model == 1', { reason: 'unknownName' }],
  ['1 > 0', { reason: 'noInputs' }],
  ['', { reason: 'ended' }],
  ['T >', { reason: 'ended' }],
  ['constructor', { reason: 'unknownName' }],
  ['{__proto__} > 1 && T > 1', { reason: 'unknownName' }],
  ['toString(T)', { reason: 'unknownFunction' }],
  ['T.constructor("return process")()', { reason: 'unexpected' }],
  ['T[0]', { reason: 'unexpected' }],
  ['T = 1', { reason: 'unexpected' }],
  [`${'('.repeat(240)}T${')'.repeat(240)}`, { reason: 'tooDeep' }],
  [`${'!'.repeat(400)}T`, { reason: 'tooDeep' }],
  [`${'T>1&&'.repeat(90)}T`, { reason: 'tooMany' }],
  ['T'.repeat(1_000_000), { reason: 'tooLong' }],
  ['T > 1 '.padEnd(501, '\0'), { reason: 'tooLong' }],
  ['T > 1\0', { reason: 'unexpected' }],
])('a wrong one is refused: case %#', (formula, fault) => {
  expect(conditionFault(formula, all)).toMatchObject(fault)
  expect(slotCondition(formula, all)).toBeNull()
})

it('names become slots', () => {
  expect(slotCondition('T > 80 && ({Voltage L1} < 200 || T < P)', all)?.inputs).toEqual([
    { slot: 1, holdMs: 25_000, cycleS: 10, onChange: false },
    { slot: 7, holdMs: 25_000, cycleS: 10, onChange: false },
    { slot: 4, holdMs: 9_000_000, cycleS: 10, onChange: true },
  ])
})

it('a name with blanks is written in braces', () => {
  expect(all.map(({ name }) => formulaName(name))).toEqual(['T', 'P', '{Voltage L1}', 'Model'])
  expect(formulaName('2nd')).toBe('{2nd}')
})

describe('at a given time', () => {
  const condition = slotCondition('T > 80 && P < 2', all)
  if (!condition) throw new Error('no condition')
  const now = 1_000_000_000
  const known = (ageS: number | null, value: number | null, quality = qualityCode('good')) => ({
    at: ageS === null ? null : now - 1000 * ageS,
    value,
    quality,
  })
  const bad = { value: null, quality: qualityCode('formulaError') }

  it.each([
    ['both parts hold', known(0, 81), known(0, 1), { value: 1, quality: 0 }],
    ['one does not', known(0, 81), known(0, 2), { value: 0, quality: 0 }],
    ['what is reported on change stands for hours', known(0, 81), known(7200, 1), { value: 1, quality: 0 }],
    ['what is reported each cycle is too old after 2.5', known(26, 81), known(0, 1), bad],
    ['one was never reported', known(0, 81), known(null, null), bad],
    ['one is bad, though the other decides', known(0, 70), known(0, null, qualityCode('crc')), bad],
    ['no memory of an input at all', known(0, 81), undefined, bad],
  ])('%s', (_, t, p, result) => {
    expect(conditionValue(condition, p ? [t, p] : [t], now)).toEqual(result)
  })
})
