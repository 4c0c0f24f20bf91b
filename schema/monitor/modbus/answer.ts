/** Answers as bytes: written by slaves, read by masters together with what was asked. */
import { bitsOfBytes, bytesOfBits, bytesOfWords, wordAt } from './pack.ts'
import {
  COIL_ON,
  EXCEPTION_BIT,
  MEI_IDENTITY,
  type ModbusAnswer,
  type ModbusException,
  type ModbusRequest,
} from './pdu.ts'

function bodyOf(answer: ModbusAnswer): number[] {
  switch (answer.fn) {
    case 1:
    case 2: {
      const bytes = bytesOfBits(answer.bits)
      return [bytes.length, ...bytes]
    }
    case 3:
    case 4:
    case 23:
      return [answer.data.length, ...answer.data]
    case 5:
      return bytesOfWords([answer.address, answer.on ? COIL_ON : 0])
    case 6:
      return bytesOfWords([answer.address, answer.word])
    case 15:
    case 16:
      return bytesOfWords([answer.address, answer.count])
    case 22:
      return bytesOfWords([answer.address, answer.and, answer.or])
    case 43: {
      const { level, conformity, more, next, objects } = answer
      const listed = objects.flatMap(({ id, bytes }) => [id, bytes.length, ...bytes])
      return [MEI_IDENTITY, level, conformity, more ? 0xff : 0, next, objects.length, ...listed]
    }
  }
}

export const answerBytes = (answer: ModbusAnswer | ModbusException): Uint8Array =>
  'exception' in answer
    ? Uint8Array.of(answer.fn | EXCEPTION_BIT, answer.exception)
    : Uint8Array.from([answer.fn, ...bodyOf(answer)])

function identityOf(pdu: Uint8Array): ModbusAnswer | null {
  if (pdu[1] !== MEI_IDENTITY || pdu.length < 7) return null
  const objects = []
  let at = 7
  for (let left = pdu[6] ?? 0; left > 0; left--) {
    const length = pdu[at + 1]
    if (length === undefined || at + 2 + length > pdu.length) return null
    objects.push({ id: pdu[at] ?? 0, bytes: pdu.slice(at + 2, at + 2 + length) })
    at += 2 + length
  }
  if (at !== pdu.length) return null
  return {
    fn: 43,
    level: pdu[2] ?? 0,
    conformity: pdu[3] ?? 0,
    more: pdu[4] === 0xff,
    next: pdu[5] ?? 0,
    objects,
  }
}

type Reading = Extract<ModbusRequest, { count: number }>

function readingOf({ fn, count }: Reading, pdu: Uint8Array): ModbusAnswer | null {
  const bytes = fn <= 2 ? (count + 7) >> 3 : 2 * count
  if (pdu[1] !== bytes || pdu.length !== 2 + bytes) return null
  if (fn === 1 || fn === 2) return { fn, bits: bitsOfBytes(pdu.subarray(2), count) }
  return { fn, data: pdu.slice(2) }
}

/**
 * null: not the answer to this request (another function, address or number of bytes). It is then the late answer to an
 * earlier one, or damaged: on RTU, which has no transaction id, only this shows it.
 */
export function parseAnswer(request: ModbusRequest, pdu: Uint8Array): ModbusAnswer | ModbusException | null {
  const fn = pdu[0] ?? 0
  if (fn === (request.fn | EXCEPTION_BIT)) {
    return pdu.length === 2 ? { fn: request.fn, exception: pdu[1] ?? 0 } : null
  }
  if (fn !== request.fn) return null
  if ('count' in request) return readingOf(request, pdu)
  if (request.fn === 43) return identityOf(pdu)
  const echo = wordAt(pdu, 1) === request.address
  if (!echo || pdu.length !== (request.fn === 22 ? 7 : 5)) return null
  const second = wordAt(pdu, 3)
  const { address } = request
  switch (request.fn) {
    case 5:
      return second === (request.on ? COIL_ON : 0) ? { fn: 5, address, on: request.on } : null
    case 6:
      return second === request.word ? { fn: 6, address, word: second } : null
    case 15:
      return second === request.bits.length ? { fn: 15, address, count: second } : null
    case 16:
      return second === request.words.length ? { fn: 16, address, count: second } : null
    case 22: {
      const or = wordAt(pdu, 5)
      return second === request.and && or === request.or ? { fn: 22, address, and: second, or } : null
    }
  }
}
