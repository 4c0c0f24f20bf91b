import { describe, expect, it } from 'vitest'
import { qualityCode } from './fields.ts'
import { heldBy, storedValue, type VariableScale } from './scale.ts'

const scale = (over: Partial<VariableScale> = {}): VariableScale => ({
  slot: 0,
  type: 'uint16',
  factor: 1,
  addend: 0,
  precision: 2,
  min: null,
  max: null,
  ...over,
})
const good = qualityCode('good')

describe('a stored value', () => {
  it('is raw × factor + addend', () => {
    expect(storedValue(scale({ factor: 0.1, addend: -40 }), 653, good)).toEqual({
      value: 25.3,
      text: null,
      quality: good,
    })
  })

  it.each(['timeout', 'slaveOffline', 'badAddress', 'noValue'] as const)(
    'of quality %s is none, whatever number came along',
    (name) => {
      expect(storedValue(scale(), 7, qualityCode(name))).toEqual({
        value: null,
        text: null,
        quality: qualityCode(name),
      })
    },
  )

  it('outside of its bounds is kept and said to be so', () => {
    const bounded = scale({ min: 0, max: 100 })
    expect(storedValue(bounded, 101, good)).toMatchObject({
      value: 101,
      quality: qualityCode('outOfRange'),
    })
    expect(storedValue(bounded, 100, good)).toMatchObject({ value: 100, quality: good })
    expect(storedValue(bounded, 50, qualityCode('outOfRange'))).toMatchObject({ value: 50, quality: good })
  })

  it('of 64 bits comes as text where a double cannot hold it, and stays exact', () => {
    expect(storedValue(scale({ type: 'uint64' }), '18446744073709551615', good)).toEqual({
      value: 18_446_744_073_709_552_000,
      text: '18446744073709551615',
      quality: good,
    })
    expect(storedValue(scale({ type: 'int64', factor: 0.001 }), '-9007199254740993', good)).toMatchObject({
      value: -9007199254740.99,
      text: null,
    })
  })

  it('of as many decimal registers as a variable may have is exact, too', () => {
    const meter = scale({ type: 'mod10k', ...heldBy({ type: 'mod10k', length: 6, powerAddress: null }) })
    expect(storedValue(meter, '123456789012345678901234', good)).toEqual({
      value: Number('123456789012345678901234'),
      text: '123456789012345678901234',
      quality: good,
    })
    expect(storedValue(meter, `1${'0'.repeat(25)}`, good)).toMatchObject({ value: null })
  })

  it.each([
    ['a text for a number', scale(), '12'],
    ['a text that is no number for 64 bits', scale({ type: 'int64' }), '12e3'],
    ['a number for a text', scale({ type: 'text' }), 12],
    ['nothing, although it is said to be good', scale(), null],
    ['a product that is no finite number', scale({ factor: 1e300 }), 1e300],
  ] as const)('is bad data when it is %s', (_name, of, raw) => {
    expect(storedValue(of, raw, good)).toEqual({ value: null, text: null, quality: qualityCode('badData') })
  })

  const of = (
    type: VariableScale['type'],
    length: number | null = null,
    powerAddress: number | null = null,
  ) => scale({ type, ...heldBy({ type, length, powerAddress }) })

  it.each([
    ['uint32', null, -5],
    ['uint32', null, 10.5],
    ['uint32', null, 2 ** 32],
    ['int16', null, 70_000],
    ['int16', null, -32_769],
    ['bool', null, 2],
    ['bit', null, -1],
    ['bits', 3, 8],
    ['bcd16', null, 10_000],
    ['uint64', null, '18446744073709551616'],
    ['int64', null, '-9223372036854775809'],
    ['uint64', null, -1],
  ] as const)(
    'of %s (length %j) is bad data when it is %j, which its registers cannot hold',
    (type, length, raw) => {
      expect(storedValue(of(type, length), raw, good)).toEqual({
        value: null,
        text: null,
        quality: qualityCode('badData'),
      })
    },
  )

  it.each([
    ['int16', null, -32_768, -32_768],
    ['int16', null, -0, 0],
    ['uint32', null, 4_294_967_295, 4_294_967_295],
    ['bits', 3, 7, 7],
    ['int64', null, '-9223372036854775808', -(2 ** 63)],
    ['float32', null, 10.5, 10.5],
  ] as const)('of %s (length %j) is kept at its bound: %j', (type, length, raw, value) => {
    expect(storedValue(of(type, length), raw, good)).toMatchObject({ value, quality: good })
  })

  it('with a power of ten may be a fraction: the gateway has multiplied it', () => {
    expect(storedValue(of('int16', null, 7), 230.5, good)).toMatchObject({ value: 230.5, quality: good })
  })

  it('of a text is that text', () => {
    expect(storedValue(scale({ type: 'text' }), 'A-17', good)).toEqual({
      value: null,
      text: 'A-17',
      quality: good,
    })
  })
})
