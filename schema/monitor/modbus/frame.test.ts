import { describe, expect, it } from 'vitest'
import { crc16, rtuFrame, takeRtuFrame } from './frame-rtu.ts'
import { takeTcpFrames, tcpFrame } from './frame-tcp.ts'
import { bytesOfHex, hexOf } from './hex.ts'
import { answerLength, requestLength } from './pdu-length.ts'

const bytes = (hex: string) => bytesOfHex(hex) ?? new Uint8Array()
const joined = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]))

describe('frames of Modbus RTU', () => {
  it('end with the CRC, its low byte first', () => {
    // The check value of CRC-16/MODBUS.
    expect(crc16(new TextEncoder().encode('123456789'))).toBe(0x4b37)
    expect(hexOf(rtuFrame({ unit: 17, pdu: bytes('0300200004') }))).toBe('1103002000044753')
  })

  it('are taken from what has come so far', () => {
    const frame = rtuFrame({ unit: 3, pdu: bytes('0304000A000B') })
    for (let cut = 0; cut < frame.length; cut++)
      expect(takeRtuFrame(frame.subarray(0, cut), answerLength)).toEqual({ state: 'partial' })
    const taken = takeRtuFrame(joined(frame, bytes('0102')), answerLength)
    expect(taken).toEqual({
      state: 'frame',
      frame: { unit: 3, pdu: bytes('0304000A000B') },
      rest: bytes('0102'),
    })
  })

  it('are refused when damaged or no frame at all', () => {
    const frame = rtuFrame({ unit: 3, pdu: bytes('0300000001') })
    frame[4] = (frame[4] ?? 0) ^ 1
    expect(takeRtuFrame(frame, requestLength)).toEqual({ state: 'crc' })
    expect(takeRtuFrame(bytes('0155'), requestLength)).toEqual({ state: 'crc' })
    // An answer that says more bytes than a frame has.
    expect(takeRtuFrame(bytes('0103FF'), answerLength)).toEqual({ state: 'crc' })
  })
})

describe('frames of Modbus TCP', () => {
  const first = { id: 0x1234, unit: 9, pdu: bytes('0300050002') }
  const second = { id: 0x1235, unit: 9, pdu: bytes('8302') }

  it('have an id, protocol 0, the length and the unit', () => {
    expect(hexOf(tcpFrame(first))).toBe('123400000006090300050002')
  })

  it('are taken from a stream, whole ones only', () => {
    const stream = joined(tcpFrame(first), tcpFrame(second))
    for (let cut = 0; cut <= stream.length; cut++) {
      const { frames, rest, broken } = takeTcpFrames(stream.subarray(0, cut))
      expect(broken).toBe(false)
      expect(frames).toEqual([first, second].slice(0, cut < 12 ? 0 : cut < stream.length ? 1 : 2))
      expect(rest.length).toBe(cut < 12 ? cut : cut < stream.length ? cut - 12 : 0)
    }
  })

  it('of another protocol or an impossible length break the stream', () => {
    expect(takeTcpFrames(bytes('000100010006010300000001')).broken).toBe(true)
    expect(takeTcpFrames(bytes('00010000000101')).broken).toBe(true)
    expect(takeTcpFrames(bytes('00010000010001')).broken).toBe(true)
  })
})
