/** Checks of single packets required by MQTT 3.1.1: pure functions that return null or the violated rule. */
import { isUtf8 } from 'node:buffer'
import { limits } from './limits.ts'

export const types = {
  connect: 1,
  publish: 3,
  puback: 4,
  pubrec: 5,
  pubrel: 6,
  pubcomp: 7,
  subscribe: 8,
  unsubscribe: 10,
  pingreq: 12,
  disconnect: 14,
} as const

const flagsOf: Readonly<Record<number, number>> = { 1: 0, 4: 0, 5: 0, 6: 2, 7: 0, 8: 2, 10: 2, 12: 0, 14: 0 }

/** [MQTT-2.2.2-2, 3.3.1-2, 3.3.1-4] The first byte: a type that clients may send, with the required flags. */
export function headerFault(first: number): string | null {
  const type = first >> 4
  if (type === types.publish) {
    if ((first & 6) === 6) return 'QoS 3'
    return (first & 14) === 8 ? 'DUP with QoS 0' : null
  }
  const flags = flagsOf[type]
  if (flags === undefined) return `packet type ${type}`
  return flags === (first & 15) ? null : 'reserved flags'
}

/**
 * Size in bytes of the packet at `at`: 0 if its header is not complete yet, -1 if its length is malformed.
 */
export function frameSize(bytes: Buffer, at: number, end: number): number {
  let length = 0
  for (let i = 1; i <= 4; i++) {
    if (at + i >= end) return 0
    const byte = bytes[at + i] ?? 0
    length += (byte & 127) * 128 ** (i - 1)
    if (byte < 128) return length + i + 1
  }
  return -1
}

export const u16 = (bytes: Buffer, at: number) => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)

/** End of the length-prefixed field at `at`, or -1 if it does not fit before `end`. */
export function fieldEnd(bytes: Buffer, at: number, end: number): number {
  if (at + 2 > end) return -1
  const stop = at + 2 + u16(bytes, at)
  return stop > end ? -1 : stop
}

const UNWANTED = /[\p{Cc}\p{Noncharacter_Code_Point}]/u

/**
 * [MQTT-1.5.3-1, 1.5.3-2] Well-formed UTF-8 without surrogates and without U+0000. Control characters and
 * non-characters "should not" occur and may be refused; they have no use in a name that ends up in logs.
 */
export function isCleanText(bytes: Buffer, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const byte = bytes[i] ?? 0
    if (byte < 32 || byte === 127) return false
    if (byte > 127) {
      const text = bytes.subarray(from, to)
      return isUtf8(text) && !UNWANTED.test(text.toString())
    }
  }
  return true
}

export const textEnd = (bytes: Buffer, at: number, end: number) => {
  const stop = fieldEnd(bytes, at, end)
  return stop !== -1 && isCleanText(bytes, at + 2, stop) ? stop : -1
}

const HASH = 35
const PLUS = 43
const SLASH = 47

/** A topic name: not empty, no wildcards, within our limits [MQTT-4.7.3-1, 3.3.2-2]. */
export function topicFault(bytes: Buffer, from: number, to: number): string | null {
  if (to === from) return 'empty topic'
  if (to - from > limits.topicBytes) return 'topic too long'
  let levels = 1
  for (let i = from; i < to; i++) {
    const byte = bytes[i]
    if (byte === HASH || byte === PLUS) return 'wildcard in a topic'
    if (byte === SLASH) levels++
  }
  if (levels > limits.topicLevels) return 'too many topic levels'
  return isCleanText(bytes, from, to) ? null : 'topic is not clean UTF-8'
}

/** A topic filter: `#` only alone in the last level, `+` only alone in its level [MQTT-4.7.1-2, 4.7.1-3]. */
function filterFault(bytes: Buffer, from: number, to: number): string | null {
  if (to === from) return 'empty filter'
  for (let i = from; i < to; i++) {
    const byte = bytes[i]
    if (byte !== HASH && byte !== PLUS) continue
    const alone = (i === from || bytes[i - 1] === SLASH) && (i === to - 1 || bytes[i + 1] === SLASH)
    if (!alone || (byte === HASH && i !== to - 1)) return 'misplaced wildcard'
  }
  return isCleanText(bytes, from, to) ? null : 'filter is not clean UTF-8'
}

function publishFault(first: number, bytes: Buffer, from: number, to: number): string | null {
  const stop = fieldEnd(bytes, from, to)
  if (stop === -1) return 'topic exceeds the packet'
  if ((first & 6) !== 0) {
    if (stop + 2 > to) return 'no packet id'
    if (u16(bytes, stop) === 0) return 'packet id 0'
  }
  return topicFault(bytes, from + 2, stop)
}

function filtersFault(withQos: boolean, bytes: Buffer, from: number, to: number): string | null {
  if (to - from < 2) return 'no packet id'
  if (u16(bytes, from) === 0) return 'packet id 0'
  let at = from + 2
  let count = 0
  // [MQTT-3.8.3-3, 3.10.3-2]
  if (at === to) return 'no filter'
  while (at < to) {
    const stop = fieldEnd(bytes, at, to)
    if (stop === -1) return 'filter exceeds the packet'
    const fault = filterFault(bytes, at + 2, stop)
    if (fault) return fault
    at = stop
    if (withQos) {
      if (at >= to) return 'no QoS'
      // [MQTT-3.8.3-4]
      if ((bytes[at] ?? 3) > 2) return 'QoS out of range'
      at++
    }
    if (++count > limits.filtersPerSubscribe) return 'too many filters'
  }
  return null
}

/** Checks the body of any packet but CONNECT; `first` has passed `headerFault`. */
export function bodyFault(first: number, bytes: Buffer, from: number, to: number): string | null {
  switch (first >> 4) {
    case types.publish:
      return publishFault(first, bytes, from, to)
    case types.subscribe:
      return filtersFault(true, bytes, from, to)
    case types.unsubscribe:
      return filtersFault(false, bytes, from, to)
    case types.pingreq:
    case types.disconnect:
      return to === from ? null : 'unexpected body'
    default:
      if (to - from !== 2) return 'wrong length'
      return u16(bytes, from) === 0 ? 'packet id 0' : null
  }
}

/**
 * Aedes returns one code for equal filters of a SUBSCRIBE. Returns, for each filter, the index of the code it
 * must get; null if all filters differ.
 */
export function repeatedFilters(bytes: Buffer, from: number, to: number): number[] | null {
  const places = new Map<string, number>()
  const answers: number[] = []
  for (let at = from + 2; at < to; ) {
    const stop = fieldEnd(bytes, at, to)
    const filter = bytes.toString('utf8', at + 2, stop)
    const place = places.get(filter) ?? places.size
    places.set(filter, place)
    answers.push(place)
    at = stop + 1
  }
  return places.size === answers.length ? null : answers
}

const SUBACK = 0x90

/** [MQTT-3.9.3-1] Restores one return code per filter in the SUBACK among these complete packets. */
export function repeatCodes(bytes: Buffer, answers: number[]): Buffer | null {
  for (let at = 0; at < bytes.length; at += Math.max(1, frameSize(bytes, at, bytes.length))) {
    if (bytes[at] !== SUBACK) continue
    // At most 100 filters, so the length is one byte.
    const codes = answers.map((place) => bytes[at + 4 + place] ?? 0x80)
    const end = at + frameSize(bytes, at, bytes.length)
    const head = [SUBACK, 2 + codes.length, bytes[at + 2] ?? 0, bytes[at + 3] ?? 0]
    return Buffer.concat([bytes.subarray(0, at), Buffer.from([...head, ...codes]), bytes.subarray(end)])
  }
  return null
}
