/** Frames of Modbus RTU, on a serial line or over TCP through a converter: unit, PDU, CRC-16 with its low byte first. */

export const RTU_FRAME_MAX = 256

const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1
  return crc
})

export function crc16(bytes: Uint8Array): number {
  let crc = 0xffff
  for (const byte of bytes) crc = (crc >> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0)
  return crc
}

export type RtuFrame = { unit: number; pdu: Uint8Array }

export function rtuFrame({ unit, pdu }: RtuFrame): Uint8Array {
  const frame = new Uint8Array(pdu.length + 3)
  frame[0] = unit
  frame.set(pdu, 1)
  const crc = crc16(frame.subarray(0, -2))
  frame[pdu.length + 1] = crc & 0xff
  frame[pdu.length + 2] = crc >> 8
  return frame
}

export type RtuTaken =
  /** More bytes are needed. */
  | { state: 'partial' }
  | { state: 'frame'; frame: RtuFrame; rest: Uint8Array }
  /** Damaged, or not the beginning of a frame: to be discarded up to the next silence. */
  | { state: 'crc' }

/**
 * The frame at the beginning of what has come since the line was silent.
 *
 * @param lengthOf `answerLength` at a master, `requestLength` at a slave
 */
export function takeRtuFrame(bytes: Uint8Array, lengthOf: (pdu: Uint8Array) => number | null): RtuTaken {
  const length = lengthOf(bytes.subarray(1))
  if (length === 0 || (length ?? 0) + 3 > RTU_FRAME_MAX) return { state: 'crc' }
  if (length === null || bytes.length < length + 3) return { state: 'partial' }
  const end = length + 3
  const crc = (bytes[end - 2] ?? 0) | ((bytes[end - 1] ?? 0) << 8)
  if (crc16(bytes.subarray(0, end - 2)) !== crc) return { state: 'crc' }
  const frame = { unit: bytes[0] ?? 0, pdu: bytes.slice(1, end - 2) }
  return { state: 'frame', frame, rest: bytes.subarray(end) }
}
