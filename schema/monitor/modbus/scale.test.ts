import { describe, expect, it } from 'vitest'
import { referenceOf, typedAddress, wireOfReference } from './address.ts'
import { bitsPerCharacter, busLoad, requestMs } from './bus-time.ts'
import { scaled, unscaled } from './scale.ts'

const scale = (factor: number, precision: number, addend = 0) => ({ factor, precision, addend })

describe('a scaled value', () => {
  it.each<[number | string, ReturnType<typeof scale>, number | string | null]>([
    [4072, scale(0.1, 1), 407.2],
    [-4072, scale(0.01, 1), -40.7],
    [15, scale(0.1, 0), 2],
    [-15, scale(0.1, 0), -2],
    [2675, scale(0.001, 2), 2.68],
    [-2675, scale(0.001, 2), -2.68],
    [1.005, scale(1, 2), 1.01],
    [4, scale(0.1, 0), 0],
    [-4, scale(0.1, 0), 0],
    [500, scale(0.5, 1, -273.15), -23.2],
    ['18446744073709551615', scale(1, 0), '18446744073709551615'],
    ['9007199254740995', scale(0.01, 1), 90_071_992_547_410],
    ['9007199254740995', scale(0.01, 2), '90071992547409.95'],
    [1e30, scale(1, 2), 1e30],
    [Number.NaN, scale(1, 2), null],
    ['twelve', scale(1, 2), null],
  ])('%s by %j is %s', (raw, by, expected) => {
    expect(scaled(raw, by)).toBe(expected)
  })

  it('by the quick way is that of exact arithmetic', () => {
    let seed = 7
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return seed / 2 ** 31
    }
    for (let i = 0; i < 5_000; i++) {
      const raw = Math.round((random() - 0.5) * 10 ** (1 + (i % 9)))
      const by = scale([0.1, 0.001, 0.5, 10, 0.0625, 1 / 3][i % 6] ?? 1, i % 5, i % 7 === 0 ? 0.05 : 0)
      // Text goes the exact way.
      expect(scaled(raw, by), `${raw} ${JSON.stringify(by)}`).toBe(Number(scaled(String(raw), by)))
    }
  })

  it('goes back to the raw number, or says that none is on the grid', () => {
    expect(unscaled(23.5, scale(0.1, 1), true)).toEqual({ raw: 235 })
    expect(unscaled(0.3, scale(0.1, 1), true)).toEqual({ raw: 3 })
    expect(unscaled(60, scale(1, 0, -40), true)).toEqual({ raw: 100 })
    expect(unscaled('9007199254740.993', scale(0.001, 3), true)).toEqual({ raw: '9007199254740993' })
    expect(unscaled(0.25, scale(0.1, 1), true)).toEqual({ offGrid: [0.2, 0.3] })
    expect(unscaled(-0.25, scale(0.1, 1), true)).toEqual({ offGrid: [-0.3, -0.2] })
    expect(unscaled(0.25, scale(0.1, 1), false)).toEqual({ raw: 2.5 })
    expect(unscaled('x', scale(0.1, 1), true)).toBeNull()
  })
})

describe('an address of a manual', () => {
  it('is written with the table that it is in', () => {
    expect(referenceOf('holding', 0)).toBe('40001')
    expect(referenceOf('coil', 2)).toBe('00003')
    expect(referenceOf('holding', 40_000)).toBe('440001')
    expect(referenceOf('input', 65_535)).toBe('365536')
  })

  it.each([
    ['40012', 'holding', 11],
    ['400001', 'holding', 0],
    ['365536', 'input', 65_535],
    ['10007', 'discrete', 6],
    ['00003', 'coil', 2],
    // 10001 of holding registers is an address on the wire; 40000 names no register.
    ['10001', 'holding', null],
    ['40000', 'holding', null],
    ['465537', 'holding', null],
    ['12', 'holding', null],
    ['0x1F', 'holding', null],
  ] as const)('%s of %s registers may be %s on the wire', (text, table, wire) => {
    expect(wireOfReference(text, table)).toBe(wire)
  })

  it.each([
    ['0x1F', 31],
    ['0BD3h', 3_027],
    [' 12 ', 12],
    ['65536', 65_536],
    ['', ''],
    ['-1', '-1'],
    ['forty', 'forty'],
  ] as const)('%s is typed as %s', (text, value) => {
    expect(typedAddress(text)).toBe(value)
  })
})

describe('the time on the bus', () => {
  const line = (baud: number) => ({
    line: { baud, bitsPerCharacter: bitsPerCharacter({ dataBits: 8, parity: 'even', stopBits: 1 }) },
    latencyMs: 0,
    pauseMs: 0,
  })

  it('is the table of the reference', () => {
    const ms = (baud: number, count: number) => Math.round(requestMs({ fn: 3, count }, line(baud)))
    expect([1, 10, 60, 125].map((count) => ms(2_400, count))).toEqual([101, 183, 642, 1_237])
    expect([1, 10, 60, 125].map((count) => ms(9_600, count))).toEqual([25, 46, 160, 309])
    expect([1, 10, 60, 125].map((count) => ms(19_200, count))).toEqual([13, 23, 80, 155])
    expect([1, 10, 60, 125].map((count) => ms(115_200, count))).toEqual([5, 7, 16, 29])
  })

  it('says whether a plan fits, and the shortest period that does', () => {
    const reads = (everyMs: number) => Array.from({ length: 12 }, () => ({ fn: 3, count: 20, everyMs }))
    const pace = { ...line(9_600), latencyMs: 30 }
    const round = 12 * requestMs({ fn: 3, count: 20 }, pace)
    expect(busLoad(reads(1_000), pace)).toMatchObject({
      verdict: 'overloaded',
      roundMs: round,
      shortestS: 2,
      easyS: 2,
    })
    expect(busLoad(reads(1_500), pace)).toMatchObject({ verdict: 'tight' })
    expect(busLoad(reads(5_000), pace)).toMatchObject({ verdict: 'fits' })
    expect(busLoad([], pace)).toMatchObject({ share: 0, verdict: 'fits', shortestS: 1 })
  })
})
