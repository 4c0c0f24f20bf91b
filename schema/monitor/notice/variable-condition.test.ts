import { describe, expect, it } from 'vitest'
import { unsuited, type Watched } from './condition-fit.ts'
import { conditionWords, isAboutValues, type Operator, operators } from './variable-condition.ts'

const variable = (of: Partial<Watched> = {}): Watched => ({
  ioController: 'modbus',
  dataType: 'int16',
  length: null,
  reportType: 'cycle',
  cycleS: 60,
  ...of,
})
const why = (operator: Operator, of: Partial<Watched>, parts: { bit?: number; minutes?: number } = {}) =>
  unsuited({ operator, bit: parts.bit ?? null, minutes: parts.minutes ?? null }, variable(of))

describe('a condition suits a variable', () => {
  it.each([
    ['bool', null, 0],
    ['bits', 3, 2],
    ['int16', null, 15],
    ['uint32', null, 31],
    ['int64', null, 52],
  ] as const)('%s (length %j) has bits up to %i', (dataType, length, highest) => {
    expect(why('bitOn', { dataType, length }, { bit: highest })).toBeNull()
    expect(why('bitOff', { dataType, length }, { bit: highest + 1 })).toEqual({ reason: 'bit', n: highest })
  })

  it('only if it has bits: a measured float has none, a computed number may', () => {
    expect(why('bitOn', { dataType: 'float32' }, { bit: 0 })).toEqual({ reason: 'bit', n: -1 })
    expect(why('bitOn', { dataType: 'float64', ioController: 'formula' }, { bit: 40 })).toBeNull()
  })

  it('only if it is reported often enough, and if it is a number', () => {
    expect(why('noData', { cycleS: 3_600 }, { minutes: 149 })).toEqual({ reason: 'silence', n: 150 })
    expect(why('noData', { cycleS: 3_600 }, { minutes: 150 })).toBeNull()
    expect(why('gt', { dataType: 'text' })).toEqual({ reason: 'number' })
    expect(why('bad', { dataType: 'text' })).toBeNull()
  })
})

it('the limits of a condition are in the unit of its variable, its bits and minutes are not', () => {
  expect(operators.filter((operator) => !isAboutValues(operator))).toEqual([
    'bitOn',
    'bitOff',
    'noData',
    'bad',
  ])
})

it('the words of a condition have no gap where a variable has no unit', () => {
  const texts: Record<string, string> = {
    'alarm:operator.between': 'between {low} and {high} {unit}',
    'alarm:operator.change': 'changes by {low} {unit} or more within {s} s',
    'alarm:operator.lasting': '{condition} for {s} s',
  }
  const say = ((key: string, of: Record<string, string | number>) =>
    (texts[key] ?? '').replace(/\{(\w+)\}/g, (_, name: string) => String(of[name]))) as Parameters<
    typeof conditionWords
  >[1]
  const words = (operator: Operator, unit: string) =>
    conditionWords(
      { operator, low: 1, high: 2, bit: null, withinS: 9, minutes: null, forS: 5, formula: null, unit },
      say,
    )
  expect([words('change', ''), words('between', ''), words('between', 'V')]).toEqual([
    'changes by 1 or more within 9 s for 5 s',
    'between 1 and 2 for 5 s',
    'between 1 and 2 V for 5 s',
  ])
})

it('the numbers of a condition are written as values are', () => {
  const words = (low: number) =>
    conditionWords(
      {
        operator: 'gt',
        low,
        high: null,
        bit: null,
        withinS: null,
        minutes: null,
        forS: 0,
        formula: null,
        unit: 'W',
      },
      () => '',
    )
  expect([4945, -1234567.25, 0.000001, 12].map(words)).toEqual([
    '> 4,945 W',
    '> -1,234,567.25 W',
    '> 0.000001 W',
    '> 12 W',
  ])
})
