import { describe, expect, it } from 'vitest'
import { CHAIN_MAX, chainOf } from './chain.ts'
import { compileFormula, type Formula } from './compile.ts'

const known = new Set(['a', 'b', 'Voltage L1', '功率', 'x1'])
function made(text: string): Formula {
  const result = compileFormula(text, known)
  if ('fault' in result) throw new Error(`${result.fault.reason} at ${result.fault.at}`)
  return result.formula
}
const fault = (text: string, names: ReadonlySet<string> = known) => {
  const result = compileFormula(text, names)
  return 'fault' in result ? result.fault : null
}
/** With a = 7 and b = 2. */
const value = (text: string) => {
  const { inputs, run } = made(text)
  return run(inputs.map((name) => (name === 'a' ? 7 : 2)))
}

describe('a formula', () => {
  it.each<[string, number | null]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 4 - 3', 3],
    ['2 * a / b % 4', 3],
    ['-a + -(-b)', -5],
    ['a > b && !(a == b)', 1],
    ['a < b || a <= 7', 1],
    ['a != 7 ? 1 : b > 1 ? 20 : 30', 20],
    ['if(a >= 7, min(a, b, 1.5), 9)', 1.5],
    ['clamp(a * 100, 0, 250) + max(b)', 252],
    ['round(-2.5) + round(1.25, 1)', -1.7],
    ['round(1.005, 2)', 1.01],
    ['round(-1.005, 2)', -1.01],
    ['round(1e300, 2)', 1e300],
    ['round(a / 0, 2)', null],
    ['round(1.5, a / 0)', null],
    ['pow(b, 10) + sqrt(abs(0 - 16))', 1_028],
    ['1e3 + .5 + 2.', 1_002.5],
    ['a / 0', null],
    ['sqrt(0 - a)', null],
    ['pow(a, 999)', null],
    ['0 * -a', 0],
    ['a / 0 > 10', null],
    ['a / 0 == a / 0', null],
    ['0 / 0 > 1', null],
    ['!(0 / 0)', null],
    ['5 / (a / 0)', null],
    ['min(a / 0, 5) + clamp(a / 0, 0, 1)', null],
    ['pow(a / 0, 0)', null],
    ['if(a / 0 > 1, 1, 2)', null],
    ['a / 0 > 1 ? 1 : 2', null],
    ['a > 1 && 0 / 0', null],
    ['a < 1 || 1 / 0 > 2', null],
    ['b - 2 != 0 && a / (b - 2) > 10', 0],
    ['b == 2 || a / (b - 2) > 10', 1],
    ['if(b == 2, 0, a / (b - 2))', 0],
  ])('%s', (text, expected) => {
    expect(value(text)).toBe(expected)
  })

  it('names its inputs once each, with blanks in braces and letters of any script', () => {
    const { inputs, run } = made('{Voltage L1} * x1 + 功率 - {Voltage L1}')
    expect(inputs).toEqual(['Voltage L1', 'x1', '功率'])
    expect(run([230, 2, 5])).toBe(235)
  })

  it('has no value while an input has none', () => {
    const { run } = made('a + b')
    expect(run([1, null])).toBeNull()
    expect(run([1])).toBeNull()
    expect(run([1, Number.NaN])).toBeNull()
  })

  it('shows its steps, the inner ones first', () => {
    expect(made('(a + b) * 2 > 10').steps([7, 2])).toEqual([
      { text: 'a', value: 7 },
      { text: 'b', value: 2 },
      { text: '(a + b)', value: 9 },
      { text: '(a + b) * 2', value: 18 },
      { text: '(a + b) * 2 > 10', value: 1 },
    ])
  })
})

describe('what is no formula', () => {
  it.each<[string, string, number]>([
    ['', 'ended', 0],
    ['a +', 'ended', 3],
    // No number: the result would never be one.
    ['a * 1e999', 'unexpected', 4],
    [`${'9'.repeat(400)} + a`, 'unexpected', 0],
    ['a b', 'unexpected', 2],
    ['(a', 'ended', 2],
    ['a + {Voltage L1', 'ended', 15],
    ['a + {}', 'unexpected', 4],
    ['a ^ 2', 'unexpected', 2],
    ['a.constructor', 'unexpected', 1],
    ['a["x"]', 'unexpected', 1],
    ['a = 1', 'unexpected', 2],
    ['a; b', 'unexpected', 1],
    ['`a`', 'unexpected', 0],
    ['constructor', 'unknownName', 0],
    ['1 + __proto__', 'unknownName', 4],
    ['toString(1)', 'unknownFunction', 0],
    ['constructor(1)', 'unknownFunction', 0],
    ['sqrt(1, 2)', 'arguments', 0],
    ['min()', 'arguments', 0],
    ['this', 'unknownName', 0],
  ])('%s', (text, reason, at) => {
    expect(fault(text)).toMatchObject({ reason, at })
  })

  it('is bounded in length, nodes, depth and inputs', () => {
    expect(fault('a'.padEnd(501, ' '))).toMatchObject({ reason: 'tooLong' })
    expect(fault(`${'a+'.repeat(60)}a`)).toMatchObject({ reason: 'tooMany' })
    expect(fault(`${'('.repeat(240)}a${')'.repeat(240)}`)).toMatchObject({ reason: 'tooDeep' })
    expect(fault(`${'-'.repeat(400)}a`)).toMatchObject({ reason: 'tooDeep' })
    expect(fault(`${'a?a:'.repeat(100)}a`)).toMatchObject({ reason: 'tooDeep' })
    const names = Array.from({ length: 21 }, (_, i) => `v${i}`)
    expect(fault(names.join('+'), new Set(names))).toMatchObject({ reason: 'tooManyInputs' })
    expect(fault(names.slice(1).join('+'), new Set(names))).toBeNull()
  })
})

describe('formulas over formulas', () => {
  const links = (entries: Record<string, string[]>) => chainOf(new Map(Object.entries(entries)))

  it('are computed after what they need', () => {
    const result = links({ c: ['b', 'x'], a: ['x'], b: ['a', 'a'] })
    expect(result).toEqual({ order: ['a', 'b', 'c'] })
  })

  it('must not come back to themselves', () => {
    expect(links({ a: ['a'] })).toEqual({ cycle: ['a', 'a'] })
    expect(links({ a: ['b'], b: ['c'], c: ['b'] })).toEqual({ cycle: ['b', 'c', 'b'] })
  })

  it('may be five deep', () => {
    const chain = (length: number) =>
      Object.fromEntries(Array.from({ length }, (_, i) => [`f${i}`, [i === 0 ? 'x' : `f${i - 1}`]]))
    expect(links(chain(CHAIN_MAX))).toMatchObject({ order: ['f0', 'f1', 'f2', 'f3', 'f4'] })
    expect(links(chain(CHAIN_MAX + 1))).toEqual({ tooLong: ['f5'] })
  })
})
