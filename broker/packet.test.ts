import { describe, expect, it } from 'vitest'
import { readConnect } from './connect.ts'
import { bodyFault, frameSize, headerFault } from './packet.ts'

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const judge = (hex: string) => {
  const packet = bytes(hex)
  const first = packet[0] ?? 0
  return headerFault(first) ?? bodyFault(first, packet, 2, packet.length)
}

describe('the first byte', () => {
  it('is of a type that clients send, with its reserved flags', () => {
    const good = Array.from({ length: 256 }, (_, first) => first).filter(
      (first) => headerFault(first) === null,
    )
    const publish = [0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x3a, 0x3b, 0x3c, 0x3d]
    expect(good).toEqual([0x10, ...publish, 0x40, 0x50, 0x62, 0x70, 0x82, 0xa2, 0xc0, 0xe0])
  })
})

describe('the length', () => {
  it.each([
    ['30', 0],
    ['30 80', 0],
    ['30 00', 2],
    ['30 7f', 129],
    ['30 80 01', 131],
    ['30 ff ff ff 7f', 268_435_460],
    ['30 ff ff ff ff', -1],
    ['30 80 80 80 80 01', -1],
  ])('of %s is %i', (hex, size) => {
    const packet = bytes(hex)
    expect(frameSize(packet, 0, packet.length)).toBe(size)
  })
})

describe('a body', () => {
  it.each([
    ['PUBLISH', '30 05 0003 612f62'],
    ['PUBLISH QoS 1', '32 07 0003 612f62 0001'],
    ['PUBLISH with a two-byte and a four-byte character', '30 08 0006 c3a9 f09f9880'],
    ['SUBSCRIBE', '82 08 0001 0003 612f23 01'],
    ['SUBSCRIBE to +', '82 06 0001 0001 2b 00'],
    ['UNSUBSCRIBE', 'a2 07 0001 0003 2b2f23'],
    ['PUBACK', '40 02 0001'],
    ['PINGREQ', 'c0 00'],
    ['DISCONNECT', 'e0 00'],
  ])('%s passes', (_name, hex) => expect(judge(hex)).toBeNull())

  it.each([
    ['PUBLISH without a topic [MQTT-4.7.3-1]', '30 02 0000'],
    ['PUBLISH whose topic exceeds it', '30 04 0009 6162'],
    ['PUBLISH to # [MQTT-3.3.2-2]', '30 03 0001 23'],
    ['PUBLISH to a/+', '30 05 0003 612f2b'],
    ['PUBLISH with U+0000 [MQTT-1.5.3-2]', '30 05 0003 610062'],
    ['PUBLISH with a surrogate [MQTT-1.5.3-1]', '30 05 0003 eda080'],
    ['PUBLISH with overlong UTF-8', '30 04 0002 c0af'],
    ['PUBLISH with a lone continuation byte', '30 03 0001 80'],
    ['PUBLISH of 9 levels', '30 13 0011 612f612f612f612f612f612f612f612f61'],
    ['PUBLISH QoS 1 with id 0 [MQTT-2.3.1-1]', '32 07 0003 612f62 0000'],
    ['PUBLISH QoS 1 without an id', '32 05 0003 612f62'],
    ['SUBSCRIBE without a filter [MQTT-3.8.3-3]', '82 02 0001'],
    ['SUBSCRIBE with id 0', '82 08 0000 0003 612f23 01'],
    ['SUBSCRIBE at QoS 3 [MQTT-3.8.3-4]', '82 08 0001 0003 612f23 03'],
    ['SUBSCRIBE with a reserved QoS bit', '82 08 0001 0003 612f23 81'],
    ['SUBSCRIBE without QoS', '82 07 0001 0003 612f23'],
    ['SUBSCRIBE to an empty filter', '82 05 0001 0000 00'],
    ['SUBSCRIBE to #/a', '82 08 0001 0003 232f61 00'],
    ['SUBSCRIBE to a#', '82 07 0001 0002 6123 00'],
    ['SUBSCRIBE to a+', '82 07 0001 0002 612b 00'],
    ['SUBSCRIBE to +a', '82 07 0001 0002 2b61 00'],
    ['UNSUBSCRIBE without a filter [MQTT-3.10.3-2]', 'a2 02 0001'],
    ['PUBACK with id 0', '40 02 0000'],
    ['PUBACK of 3 bytes', '40 03 000100'],
    ['PUBREL of 1 byte', '62 01 00'],
    ['PINGREQ with a body', 'c0 01 00'],
    ['DISCONNECT with a body', 'e0 01 00'],
  ])('%s is refused', (_name, hex) => expect(judge(hex)).not.toBeNull())
})

describe('CONNECT', () => {
  const read = (hex: string) => {
    const body = bytes(hex)
    return readConnect(body, 0)
  }
  const head = (flags: string) => `0004 4d515454 04 ${flags} 003c`
  it.each([
    ['plain', `${head('02')} 0001 61`],
    ['with user and password', `${head('c2')} 0001 61 0001 75 0001 70`],
    ['with a will', `${head('0e')} 0001 61 0001 77 0000`],
    ['anonymous and clean', `${head('02')} 0000`],
  ])('%s passes', (_name, hex) => expect(read(hex)).toMatchObject({ keepaliveMs: 60_000 }))
  it.each([
    ['version 5', '0004 4d515454 05 02 003c 00 0001 61', 1],
    ['version 3.1', '0006 4d514973 6470 03 02 003c 0001 61', 1],
    ['a bridge', `0004 4d515454 84 02 003c 0001 61`, 1],
    ['anonymous with a session [MQTT-3.1.3-8]', `${head('00')} 0000`, 2],
  ])('%s gets its CONNACK code', (_name, hex, refusal) => expect(read(hex)).toEqual({ refusal }))
  it.each([
    ['another protocol', '0004 4d515458 04 02 003c 0001 61'],
    ['its reserved flag [MQTT-3.1.2-3]', `${head('03')} 0001 61`],
    ['will QoS without a will [MQTT-3.1.2-13]', `${head('0a')} 0001 61`],
    ['will retain without a will [MQTT-3.1.2-15]', `${head('22')} 0001 61`],
    ['will QoS 3 [MQTT-3.1.2-14]', `${head('1e')} 0001 61 0001 77 0000`],
    ['a password alone [MQTT-3.1.2-22]', `${head('42')} 0001 61 0001 70`],
    ['U+0000 in its id', `${head('02')} 0003 610062`],
    ['a surrogate in its id', `${head('02')} 0003 eda080`],
    ['an id that exceeds it', `${head('02')} 0009 61`],
    ['bytes after its end', `${head('02')} 0001 61 00`],
    ['a missing password', `${head('c2')} 0001 61 0001 75`],
    ['a wildcard will topic', `${head('06')} 0001 61 0001 23 0000`],
    ['no id at all', head('02')],
  ])('with %s is refused', (_name, hex) => expect(read(hex)).toHaveProperty('fault'))
})
