/**
 * Requests and answers of Modbus without their frame, after the MODBUS Application Protocol V1.1b3. Both ends use them:
 * gateways, and the slaves of the simulator.
 */
import { ADDRESS_MAX } from '../fields.ts'

export const READ_BITS_MAX = 2_000
export const READ_REGISTERS_MAX = 125
export const WRITE_BITS_MAX = 1_968
export const WRITE_REGISTERS_MAX = 123
/** Function 23 has the addresses of both in one request. */
export const WRITE_READING_MAX = 121
export const PDU_MAX = 253

export type ReadFunction = 1 | 2 | 3 | 4
export type ModbusRequest =
  | { fn: ReadFunction; address: number; count: number }
  | { fn: 5; address: number; on: boolean }
  | { fn: 6; address: number; word: number }
  | { fn: 15; address: number; bits: readonly boolean[] }
  | { fn: 16; address: number; words: readonly number[] }
  | { fn: 22; address: number; and: number; or: number }
  | { fn: 23; address: number; count: number; writeAddress: number; words: readonly number[] }
  /** Device identification (43/14). level: 1 basic, 2 regular, 3 extended, 4 only this object. */
  | { fn: 43; level: 1 | 2 | 3 | 4; object: number }

export type IdentityObject = { id: number; bytes: Uint8Array }
export type ModbusAnswer =
  | { fn: 1 | 2; bits: boolean[] }
  | { fn: 3 | 4 | 23; data: Uint8Array }
  | { fn: 5; address: number; on: boolean }
  | { fn: 6; address: number; word: number }
  | { fn: 15 | 16; address: number; count: number }
  | { fn: 22; address: number; and: number; or: number }
  | { fn: 43; level: number; conformity: number; more: boolean; next: number; objects: IdentityObject[] }
export type ModbusException = { fn: number; exception: number }

export const exceptions = {
  illegalFunction: 1,
  illegalAddress: 2,
  illegalValue: 3,
  deviceFailure: 4,
  acknowledge: 5,
  busy: 6,
  noPath: 10,
  targetSilent: 11,
} as const

export const EXCEPTION_BIT = 0x80
export const COIL_ON = 0xff00
/** What function 43 carries here: other uses (CANopen) are not spoken. */
export const MEI_IDENTITY = 14

/** Why a request must not leave: most libraries check none of it, and slaves answer with anything. */
export type RequestFault = 'address' | 'count' | 'range' | 'value'

const isWord = (value: number) => Number.isInteger(value) && value >= 0 && value <= 0xffff

function spanFault(address: number, count: number, most: number): RequestFault | null {
  if (!Number.isInteger(address) || address < 0 || address > ADDRESS_MAX) return 'address'
  if (!Number.isInteger(count) || count < 1 || count > most) return 'count'
  return address + count - 1 > ADDRESS_MAX ? 'range' : null
}

const wordsFault = (words: readonly number[]): RequestFault | null => (words.every(isWord) ? null : 'value')

export function requestFault(request: ModbusRequest): RequestFault | null {
  switch (request.fn) {
    case 1:
    case 2:
      return spanFault(request.address, request.count, READ_BITS_MAX)
    case 3:
    case 4:
      return spanFault(request.address, request.count, READ_REGISTERS_MAX)
    case 5:
      return spanFault(request.address, 1, 1)
    case 6:
      return spanFault(request.address, 1, 1) ?? wordsFault([request.word])
    case 15:
      return spanFault(request.address, request.bits.length, WRITE_BITS_MAX)
    case 16:
      return (
        spanFault(request.address, request.words.length, WRITE_REGISTERS_MAX) ?? wordsFault(request.words)
      )
    case 22:
      return spanFault(request.address, 1, 1) ?? wordsFault([request.and, request.or])
    case 23:
      return (
        spanFault(request.address, request.count, READ_REGISTERS_MAX) ??
        spanFault(request.writeAddress, request.words.length, WRITE_READING_MAX) ??
        wordsFault(request.words)
      )
    case 43:
      return Number.isInteger(request.object) && request.object >= 0 && request.object <= 0xff
        ? null
        : 'value'
  }
}
