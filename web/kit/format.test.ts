import { beforeAll, describe, expect, it, vi } from 'vitest'

let language = 'en-US'
vi.mock('./session.ts', () => ({ language: () => language }))
let format: typeof import('./format.ts')
beforeAll(async () => {
  format = await import('./format.ts')
})

describe('formatting', () => {
  it.each([
    [null, '–'],
    [0, '0 B'],
    [1023, '1,023 B'],
    [1536, '1.5 KiB'],
    [7_340_032, '7 MiB'],
    [2 ** 40 * 12.34, '12.3 TiB'],
  ])('writes %s bytes as %s', (value, text) => {
    expect(format.bytes(value)).toBe(text)
  })

  it('writes values of a column with the same decimals, also after others without', () => {
    expect(format.number(-81, 1)).toBe('-81')
    expect([-80.94, -81, 1234.5].map((value) => format.fixed(value, 1))).toEqual([
      '-80.9',
      '-81.0',
      '1,234.5',
    ])
    expect(format.number(-81, 1)).toBe('-81')
  })

  it('writes what a wrong byte order makes of a value as a power of ten, which no cell cuts', () => {
    expect([-1.70141183e38, 2.3150000000000003e302, 1e15].map((value) => format.fixed(value, 3))).toEqual([
      '-1.7014E38',
      '2.315E302',
      '1E15',
    ])
    expect(format.number(1.8446744073709552e19)).toBe('1.8447E19')
    expect(format.fixed(999_999_999_999_999, 0)).toBe('999,999,999,999,999')
  })

  it.each([
    [undefined, '–'],
    [0, '0 sec'],
    [59, '59 sec'],
    [3600, '1 hr'],
    [90_061, '1 day 1 hr'],
    [86_400 + 59, '1 day'],
  ])('writes %s seconds with its two largest units: %s', (value, text) => {
    expect(format.duration(value)).toBe(text)
  })

  it('formats how long ago in the largest whole unit', () => {
    const now = Date.parse('2026-11-21T12:00:00Z')
    expect(format.ago('2026-11-21T11:59:48Z', now)).toBe('12 sec. ago')
    expect(format.ago('2026-11-19T13:00:00Z', now)).toBe('yesterday')
    expect(format.ago('2026-11-21T12:05:00Z', now)).toBe('in 5 min.')
  })

  it.each([
    ['zh-CN', '1 天 1 小时', '12 秒前'],
    ['zh-TW', '1 天 1 小時', '12 秒前'],
  ])('leaves a space between figures and words in %s', (spoken, lasting, past) => {
    language = spoken
    const now = Date.parse('2026-11-21T12:00:00Z')
    expect(format.duration(90_061)).toBe(lasting)
    expect(format.ago('2026-11-21T11:59:48Z', now)).toBe(past)
    language = 'en-US'
  })

  it.each([
    ['50', '%', '50%'],
    ['-58', 'dBm', '-58 dBm'],
    ['0.88', '', '0.88'],
  ])('%s in %j is %j', (value, unit, text) => {
    expect(format.quantity(value, unit)).toBe(text)
  })

  it.each([
    ['Europe/Berlin', '2026-07-01 14:00:00 GMT+2'],
    ['America/Sao_Paulo', '2026-07-01 09:00:00 GMT-3'],
    ['America/Chicago', '2026-07-01 07:00:00 CDT'],
    ['Mars/Olympus', null],
  ])('formats a time in the zone %s: %s', (zone, text) => {
    expect(format.momentIn('2026-07-01T12:00:00Z', zone)).toBe(text)
  })
})
