/** Parses CONNECT, the only packet allowed before a login; pure. */
import { limits } from './limits.ts'
import { fieldEnd, textEnd, topicFault, u16 } from './packet.ts'

export type ConnectReading =
  | { fault: string }
  /** CONNACK code to send before closing. */
  | { refusal: number }
  | { keepaliveMs: number; forward: Buffer }

const PROTOCOL_MQTT = Buffer.from('\0\x04MQTT')
const PROTOCOL_31 = Buffer.from('\0\x06MQIsdp')

const KEEPALIVE_AT = 8
const EMPTY_ID_END = 12

/** [MQTT 3.1] Checks the body of a CONNECT. Version 5 and 3.1 get CONNACK 1 [MQTT-3.1.2-2]. */
export function readConnect(packet: Buffer, bodyAt: number): ConnectReading {
  const body = packet.subarray(bodyAt)
  if (body.subarray(0, 8).equals(PROTOCOL_31)) return { refusal: 1 }
  if (!body.subarray(0, 6).equals(PROTOCOL_MQTT) || body.length < 10) return { fault: 'protocol name' }
  if (body[6] !== 4) return { refusal: 1 }
  const flags = body[7] ?? 0
  const has = { user: flags & 128, password: flags & 64, will: flags & 4, clean: flags & 2 }
  if (flags & 1) return { fault: 'reserved connect flag' }
  if (!has.will && flags & 56) return { fault: 'will flags without a will' }
  if ((flags & 24) === 24) return { fault: 'will QoS 3' }
  if (has.password && !has.user) return { fault: 'password without user name' }
  const idEnd = textEnd(body, 10, body.length)
  if (idEnd === -1) return { fault: 'client id' }
  let at = idEnd
  if (has.will) {
    const topicEnd = fieldEnd(body, at, body.length)
    if (topicEnd === -1) return { fault: 'will topic' }
    const fault = topicFault(body, at + 2, topicEnd)
    if (fault) return { fault: `will: ${fault}` }
    at = fieldEnd(body, topicEnd, body.length)
    if (at === -1) return { fault: 'will message' }
  }
  if (has.user) at = textEnd(body, at, body.length)
  if (at === -1) return { fault: 'user name' }
  if (has.password) at = fieldEnd(body, at, body.length)
  if (at !== body.length) return { fault: 'password, or bytes after the end' }
  // [MQTT-3.1.3-8]
  if (idEnd === EMPTY_ID_END && !has.clean) return { refusal: 2 }
  // The guard enforces the keepalive itself, so Aedes is given 0: Aedes would count time in which we do not
  // read the socket as silence.
  const forward = Buffer.from(packet)
  forward.writeUInt16BE(0, bodyAt + KEEPALIVE_AT)
  const keepaliveS = u16(body, KEEPALIVE_AT) || limits.keepaliveMaxS
  return { keepaliveMs: Math.min(keepaliveS, limits.keepaliveMaxS) * 1000, forward }
}
