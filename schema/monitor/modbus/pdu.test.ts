import { describe, expect, it } from 'vitest'
import { answerBytes, parseAnswer } from './answer.ts'
import { bytesOfHex, hexOf } from './hex.ts'
import { type ModbusAnswer, type ModbusRequest, requestFault } from './pdu.ts'
import { answerLength, requestLength } from './pdu-length.ts'
import { parseRequest, requestBytes } from './request.ts'

const bytes = (hex: string) => bytesOfHex(hex) ?? new Uint8Array()
const text = (value: string) => new TextEncoder().encode(value)

const exchanges: [string, ModbusRequest, string, ModbusAnswer, string][] = [
  ['coils', { fn: 1, address: 5, count: 3 }, '0100050003', { fn: 1, bits: [true, false, true] }, '010105'],
  [
    'discrete inputs over a byte',
    { fn: 2, address: 0, count: 9 },
    '0200000009',
    { fn: 2, bits: [true, true, false, false, false, false, false, false, true] },
    '02020301',
  ],
  [
    'holding registers',
    { fn: 3, address: 512, count: 2 },
    '0302000002',
    { fn: 3, data: bytes('004012AB') },
    '0304004012AB',
  ],
  [
    'input registers',
    { fn: 4, address: 7, count: 1 },
    '0400070001',
    { fn: 4, data: bytes('0915') },
    '04020915',
  ],
  [
    'one coil',
    { fn: 5, address: 300, on: true },
    '05012CFF00',
    { fn: 5, address: 300, on: true },
    '05012CFF00',
  ],
  [
    'one register',
    { fn: 6, address: 9, word: 0xbeef },
    '060009BEEF',
    { fn: 6, address: 9, word: 0xbeef },
    '060009BEEF',
  ],
  [
    'several coils',
    { fn: 15, address: 2, bits: [false, true, true] },
    '0F000200030106',
    { fn: 15, address: 2, count: 3 },
    '0F00020003',
  ],
  [
    'several registers',
    { fn: 16, address: 64, words: [1, 0x0203] },
    '10004000020400010203',
    { fn: 16, address: 64, count: 2 },
    '1000400002',
  ],
  [
    'a mask',
    { fn: 22, address: 8, and: 0xfff0, or: 5 },
    '160008FFF00005',
    { fn: 22, address: 8, and: 0xfff0, or: 5 },
    '160008FFF00005',
  ],
  [
    'write and read',
    { fn: 23, address: 3, count: 1, writeAddress: 14, words: [255] },
    '1700030001000E00010200FF',
    { fn: 23, data: bytes('00FE') },
    '170200FE',
  ],
  [
    'identification',
    { fn: 43, level: 1, object: 0 },
    '2B0E0100',
    {
      fn: 43,
      level: 1,
      conformity: 0x81,
      more: false,
      next: 0,
      objects: [
        { id: 0, bytes: text('Ro') },
        { id: 1, bytes: text('X') },
      ],
    },
    '2B0E01810000020002526F010158',
  ],
]

describe('a request and its answer', () => {
  it.each(exchanges)('are the bytes of the standard: %s', (_, request, asked, answer, answered) => {
    expect(hexOf(requestBytes(request))).toBe(asked)
    expect(parseRequest(bytes(asked))).toEqual(request)
    expect(hexOf(answerBytes(answer))).toBe(answered)
    expect(parseAnswer(request, bytes(answered))).toEqual(answer)
  })

  it.each(exchanges)('say their length before they are complete: %s', (_, request, _asked, answer) => {
    for (const [whole, lengthOf] of [
      [requestBytes(request), requestLength],
      [answerBytes(answer), answerLength],
    ] as const) {
      for (let cut = 0; cut < whole.length; cut++) {
        expect([null, whole.length]).toContain(lengthOf(whole.subarray(0, cut)))
      }
      expect(lengthOf(whole)).toBe(whole.length)
    }
  })

  it('do not match when another address, value or number of bytes comes back: a late answer', () => {
    const read = { fn: 3, address: 0, count: 2 } as const
    expect(parseAnswer(read, bytes('03020001'))).toBeNull()
    expect(parseAnswer(read, bytes('040400010002'))).toBeNull()
    expect(parseAnswer({ fn: 6, address: 9, word: 1 }, bytes('0600080001'))).toBeNull()
    expect(parseAnswer({ fn: 16, address: 9, words: [1, 2] }, bytes('1000090001'))).toBeNull()
  })

  it('may be an exception', () => {
    const read = { fn: 3, address: 0, count: 2 } as const
    expect(hexOf(answerBytes({ fn: 3, exception: 2 }))).toBe('8302')
    expect(parseAnswer(read, bytes('8302'))).toEqual({ fn: 3, exception: 2 })
    expect(parseAnswer(read, bytes('8402'))).toBeNull()
  })
})

describe('the limits of the standard', () => {
  const words = (count: number) => Array.from({ length: count }, () => 0)
  const bits = (count: number) => Array.from({ length: count }, () => true)
  it.each<[string, ModbusRequest, ModbusRequest]>([
    ['2,000 bits', { fn: 1, address: 0, count: 2_000 }, { fn: 1, address: 0, count: 2_001 }],
    ['125 registers', { fn: 4, address: 0, count: 125 }, { fn: 4, address: 0, count: 126 }],
    ['not none', { fn: 3, address: 0, count: 1 }, { fn: 3, address: 0, count: 0 }],
    ['up to 65535', { fn: 3, address: 65_534, count: 2 }, { fn: 3, address: 65_535, count: 2 }],
    ['1,968 coils', { fn: 15, address: 0, bits: bits(1_968) }, { fn: 15, address: 0, bits: bits(1_969) }],
    ['123 written', { fn: 16, address: 0, words: words(123) }, { fn: 16, address: 0, words: words(124) }],
    ['16 bits a word', { fn: 6, address: 0, word: 65_535 }, { fn: 6, address: 0, word: 65_536 }],
    [
      '121 written while reading',
      { fn: 23, address: 0, count: 125, writeAddress: 0, words: words(121) },
      { fn: 23, address: 0, count: 125, writeAddress: 0, words: words(122) },
    ],
  ])('%s', (_, last, beyond) => {
    expect(requestFault(last)).toBeNull()
    expect(requestBytes(last).length).toBeLessThanOrEqual(253)
    expect(requestFault(beyond)).not.toBeNull()
    expect(() => requestBytes(beyond)).toThrow(RangeError)
  })

  it('a slave answers a wrong request with the exception for it', () => {
    expect(parseRequest(bytes('0900000001'))).toEqual({ fn: 9, exception: 1 })
    expect(parseRequest(bytes('0300000000'))).toEqual({ fn: 3, exception: 3 })
    expect(parseRequest(bytes('03FFFF0002'))).toEqual({ fn: 3, exception: 2 })
    expect(parseRequest(bytes('05000000FF'))).toEqual({ fn: 5, exception: 3 })
    expect(parseRequest(bytes('10000000020200010002'))).toEqual({ fn: 16, exception: 3 })
    expect(parseRequest(bytes('030000'))).toEqual({ fn: 3, exception: 3 })
    expect(parseRequest(bytes('2B0D0100'))).toEqual({ fn: 43, exception: 3 })
  })
})
