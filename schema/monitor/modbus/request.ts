/** Requests as bytes: written by masters, read by slaves. */
import { bitsOfBytes, bytesOfBits, bytesOfWords, wordAt, wordsOfBytes } from './pack.ts'
import {
  COIL_ON,
  exceptions,
  MEI_IDENTITY,
  type ModbusException,
  type ModbusRequest,
  requestFault,
} from './pdu.ts'

function bodyOf(request: ModbusRequest): number[] {
  switch (request.fn) {
    case 1:
    case 2:
    case 3:
    case 4:
      return bytesOfWords([request.address, request.count])
    case 5:
      return bytesOfWords([request.address, request.on ? COIL_ON : 0])
    case 6:
      return bytesOfWords([request.address, request.word])
    case 15: {
      const bytes = bytesOfBits(request.bits)
      return [...bytesOfWords([request.address, request.bits.length]), bytes.length, ...bytes]
    }
    case 16:
      return [
        ...bytesOfWords([request.address, request.words.length]),
        2 * request.words.length,
        ...bytesOfWords(request.words),
      ]
    case 22:
      return bytesOfWords([request.address, request.and, request.or])
    case 23: {
      const { address, count, writeAddress, words } = request
      return [
        ...bytesOfWords([address, count, writeAddress, words.length]),
        2 * words.length,
        ...bytesOfWords(words),
      ]
    }
    case 43:
      return [MEI_IDENTITY, request.level, request.object]
  }
}

/** @throws RangeError for a request that no slave may be asked (requestFault) */
export function requestBytes(request: ModbusRequest): Uint8Array {
  const fault = requestFault(request)
  if (fault) throw new RangeError(`Modbus request with function ${request.fn} has a wrong ${fault}`)
  return Uint8Array.from([request.fn, ...bodyOf(request)])
}

const lengthOf = (fn: number, pdu: Uint8Array): number | null => {
  if (fn >= 1 && fn <= 6) return 5
  if (fn === 15 || fn === 16) return 6 + (pdu[5] ?? 0)
  if (fn === 22) return 7
  if (fn === 23) return 10 + (pdu[9] ?? 0)
  return fn === 43 ? 4 : null
}

function fieldsOf(pdu: Uint8Array): ModbusRequest | null {
  const fn = pdu[0] ?? 0
  const address = wordAt(pdu, 1)
  const second = wordAt(pdu, 3)
  switch (fn) {
    case 1:
    case 2:
    case 3:
    case 4:
      return { fn, address, count: second }
    case 5:
      return second === COIL_ON || second === 0 ? { fn, address, on: second === COIL_ON } : null
    case 6:
      return { fn, address, word: second }
    case 15:
      return pdu[5] === (second + 7) >> 3 ? { fn, address, bits: bitsOfBytes(pdu.subarray(6), second) } : null
    case 16:
      return pdu[5] === 2 * second ? { fn, address, words: wordsOfBytes(pdu.subarray(6)) } : null
    case 22:
      return { fn, address, and: second, or: wordAt(pdu, 5) }
    case 23: {
      const [writeAddress, words] = [wordAt(pdu, 5), wordsOfBytes(pdu.subarray(10))]
      return pdu[9] === 2 * wordAt(pdu, 7) ? { fn, address, count: second, writeAddress, words } : null
    }
    case 43: {
      const level = pdu[2]
      return pdu[1] === MEI_IDENTITY && (level === 1 || level === 2 || level === 3 || level === 4)
        ? { fn, level, object: pdu[3] ?? 0 }
        : null
    }
    default:
      return null
  }
}

/** What a slave reads; an exception is what it must answer: 1 for an unknown function, 3 for wrong figures, 2 past the end. */
export function parseRequest(pdu: Uint8Array): ModbusRequest | ModbusException {
  const fn = pdu[0] ?? 0
  const length = lengthOf(fn, pdu)
  if (length === null) return { fn, exception: exceptions.illegalFunction }
  if (pdu.length !== length) return { fn, exception: exceptions.illegalValue }
  const request = fieldsOf(pdu)
  const fault = request ? requestFault(request) : 'value'
  if (request && !fault) return request
  return { fn, exception: fault === 'range' ? exceptions.illegalAddress : exceptions.illegalValue }
}
