import { describe, expect, it } from 'vitest'
import { type ByteOrder, byteOrders } from '../fields.ts'
import { variablesReport } from '../wire.ts'
import { decode, powered } from './decode.ts'
import { encode, withBits, writeRequest } from './encode.ts'
import { guessOrders } from './guess-order.ts'
import { bytesOfHex, hexOf } from './hex.ts'
import { WRITE_REGISTERS_MAX } from './pdu.ts'
import type { ValueShape } from './shape.ts'

const bytes = (hex: string) => bytesOfHex(hex) ?? new Uint8Array()
const shape = (type: ValueShape['type'], order: ByteOrder = 'ABCD', rest: Partial<ValueShape> = {}) => ({
  type,
  order,
  ...rest,
})
const value = (raw: number | string) => ({ value: raw, quality: 'good' })

/** In the order of `byteOrders`. */
const inAllOrders: [ValueShape['type'], number | string, readonly string[]][] = [
  ['float32', -7.25, ['C0E80000', '0000C0E8', 'E8C00000', '0000E8C0']],
  ['int32', -70_000, ['FFFEEE90', 'EE90FFFE', 'FEFF90EE', '90EEFEFF']],
  ['uint32', 305_419_897, ['12345679', '56791234', '34127956', '79563412']],
  ['float64', 0.3, ['3FD3333333333333', '3333333333333FD3', 'D33F333333333333', '333333333333D33F']],
  [
    'uint64',
    '1152921504606846977',
    ['1000000000000001', '0001000000001000', '0010000000000100', '0100000000000010'],
  ],
  ['int16', -2, ['FFFE', 'FFFE', 'FEFF', 'FEFF']],
  ['bcd32', 40_712, ['00040712', '07120004', '04001207', '12070400']],
]

describe('a value in registers', () => {
  it.each(inAllOrders)('%s %s in all orders, there and back', (type, raw, written) => {
    byteOrders.forEach((order, i) => {
      expect(decode(shape(type, order), bytes(written[i] ?? ''))).toEqual(value(raw))
      const encoded = encode(shape(type, order), raw)
      expect('bytes' in encoded && hexOf(encoded.bytes)).toBe(written[i])
    })
  })

  it('is a number as long as a double has all its digits, else text', () => {
    expect(decode(shape('uint64'), bytes('001FFFFFFFFFFFFF'))).toEqual(value(9_007_199_254_740_991))
    expect(decode(shape('uint64'), bytes('0020000000000000'))).toEqual(value('9007199254740992'))
    expect(decode(shape('int64'), bytes('8000000000000000'))).toEqual(value('-9223372036854775808'))
  })

  it('of float32 is the shortest decimal that is this float', () => {
    expect(decode(shape('float32'), bytes('4366199A'))).toEqual(value(230.1))
  })

  it('can be missing: NaN, infinities and the pattern of the template are never 0', () => {
    const missing = { value: null, quality: 'noValue' }
    for (const hex of ['7FC00001', '7F800000', 'FF800000']) {
      expect(decode(shape('float32'), bytes(hex))).toEqual(missing)
    }
    expect(decode(shape('uint32', 'CDAB', { noValue: 'fffffffe' }), bytes('FFFEFFFF'))).toEqual(missing)
    expect(decode(shape('uint32', 'CDAB', { noValue: 'FFFFFFFE' }), bytes('FFFFFFFE'))).not.toEqual(missing)
  })

  it('of decimal digits is bad data where a digit is none', () => {
    expect(decode(shape('bcd16'), bytes('0907'))).toEqual(value(907))
    expect(decode(shape('bcd16'), bytes('090B'))).toEqual({ value: null, quality: 'badData' })
    expect(decode(shape('mod10k', 'ABCD', { length: 3 }), bytes('000703E8270F'))).toEqual(value(710_009_999))
    expect(decode(shape('mod10k'), bytes('00012710'))).toEqual({ value: null, quality: 'badData' })
  })

  it('may be some bits of a register, counted from the least significant', () => {
    expect(decode(shape('bit', 'ABCD', { bit: 9 }), bytes('0200'))).toEqual(value(1))
    expect(decode(shape('bit', 'BADC', { bit: 9 }), bytes('0002'))).toEqual(value(1))
    expect(decode(shape('bits', 'ABCD', { bit: 12, length: 4 }), bytes('B000'))).toEqual(value(11))
    expect(decode(shape('bits', 'ABCD', { bit: 0, length: 16 }), bytes('FFFF'))).toEqual(value(65_535))
  })

  it('may be text: cut at NUL, without trailing blanks, two characters a register', () => {
    expect(decode(shape('text', 'ABCD', { length: 3 }), bytes('4D6574657200'))).toEqual(value('Meter'))
    expect(decode(shape('text', 'BADC', { length: 3 }), bytes('654D6574 2072'))).toEqual(value('Meter'))
    // Swapped words are for numbers: no device writes its name backwards.
    expect(decode(shape('text', 'CDAB', { length: 2 }), bytes('41424344'))).toEqual(value('ABCD'))
    expect(decode(shape('text', 'ABCD', { length: 2 }), bytes('43FF4420'))).toEqual(value('C\uFFFDD'))
  })

  it('may be text with control characters, which no report may have: without replacing them all of its values would be refused', () => {
    const read = decode(shape('text', 'ABCD', { length: 4 }), bytes('48 01 0D 69 C285 0D0A'))
    expect(read).toEqual(value('H\uFFFD\uFFFDi\uFFFD'))
    const report = { plan: 1, t: 7, at: 1, i: [0, 1], v: [read.value, 230.5] }
    expect(variablesReport.safeParse(report).success).toBe(true)
  })

  it('of SunSpec is multiplied by the power of ten that was read with it', () => {
    expect(powered(decode(shape('int16'), bytes('00E7')), -1)).toEqual(value(23.1))
    expect(powered(decode(shape('uint32'), bytes('0000002A')), 3)).toEqual(value(42_000))
    expect(powered(decode(shape('int16'), bytes('00E7')), -32_768)).toEqual({
      value: null,
      quality: 'noValue',
    })
    expect(powered(decode(shape('int16'), bytes('00E7')), 77)).toEqual({ value: null, quality: 'badData' })
  })
})

describe('a value that is written', () => {
  it('is refused when the type does not hold it', () => {
    expect(encode(shape('uint16'), 65_536)).toEqual({ fault: 'outOfRange' })
    expect(encode(shape('int32'), '-2147483649')).toEqual({ fault: 'outOfRange' })
    expect(encode(shape('int16'), 1.5)).toEqual({ fault: 'offGrid' })
    expect(encode(shape('int16'), 'on')).toEqual({ fault: 'notNumber' })
    expect(encode(shape('float32'), 1e39)).toEqual({ fault: 'outOfRange' })
    expect(encode(shape('float32'), '')).toEqual({ fault: 'notNumber' })
    expect(encode(shape('bcd16'), 10_000)).toEqual({ fault: 'outOfRange' })
    expect(encode(shape('text', 'ABCD', { length: 1 }), 'abc')).toEqual({ fault: 'tooLong' })
  })

  it.each([
    ['a coil', 'coil', shape('bool'), 1, false, { fn: 5, address: 40, on: true }],
    ['a coil as several', 'coil', shape('bool'), 0, true, { fn: 15, address: 40, bits: [false] }],
    ['a register', 'holding', shape('int16'), -1, false, { fn: 6, address: 40, word: 65_535 }],
    ['a register as several', 'holding', shape('int16'), 7, true, { fn: 16, address: 40, words: [7] }],
    [
      'two registers',
      'holding',
      shape('uint32', 'CDAB'),
      65_538,
      false,
      { fn: 16, address: 40, words: [2, 1] },
    ],
    [
      'a bit',
      'holding',
      shape('bit', 'ABCD', { bit: 3 }),
      1,
      false,
      { fn: 22, address: 40, and: 0xfff7, or: 8 },
    ],
    [
      'bits',
      'holding',
      shape('bits', 'ABCD', { bit: 4, length: 3 }),
      5,
      false,
      { fn: 22, address: 40, and: 0xff8f, or: 0x50 },
    ],
    [
      'a swapped bit',
      'holding',
      shape('bit', 'BADC', { bit: 0 }),
      1,
      false,
      { fn: 22, address: 40, and: 0xfeff, or: 0x100 },
    ],
    ['an input', 'input', shape('int16'), 1, false, { fault: 'notWritable' }],
    ['a discrete input', 'discrete', shape('bool'), 1, false, { fault: 'notWritable' }],
  ] as const)('%s takes the function for it', (_, registerType, valueShape, raw, multiple, request) => {
    expect(writeRequest({ registerType, address: 40, shape: valueShape }, raw, multiple)).toEqual(request)
  })

  it('is not made for more registers than one request can write', () => {
    const text = (length: number) =>
      writeRequest({ registerType: 'holding', address: 0, shape: shape('text', 'ABCD', { length }) }, 'Pump')
    expect(text(WRITE_REGISTERS_MAX)).toMatchObject({ fn: 16 })
    expect(text(WRITE_REGISTERS_MAX + 1)).toEqual({ fault: 'tooLong' })
  })

  it('replaces only its own bits', () => {
    expect(withBits(0xffff, { type: 'bits', bit: 4, length: 3 }, 2)).toBe(0xffaf)
    expect(withBits(0, { type: 'bit', bit: 15 }, 1)).toBe(0x8000)
  })
})

describe('the guess of type and order', () => {
  it('puts first what comes nearest to the expected value', () => {
    const [first, ...others] = guessOrders(bytes('199A4366'), 230)
    expect(first).toMatchObject({ type: 'float32', order: 'CDAB', value: 230.1, undecided: false })
    expect(others.every(({ distance }) => distance < 0.3)).toBe(true)
  })

  it('tries factors, and reports when equal words make the word order ambiguous', () => {
    expect(guessOrders(bytes('08FD'), 230, [1, 0.1])[0]).toMatchObject({ type: 'int16', factor: 0.1 })
    expect(guessOrders(bytes('00050005'), 327_685)[0]).toMatchObject({ type: 'int32', undecided: true })
    expect(guessOrders(bytes('00000000'), 5)).toEqual([])
    expect(guessOrders(bytes('FFFF'), 1)).toEqual([])
  })
})
