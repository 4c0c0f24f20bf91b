/** Frames of Modbus TCP: transaction id, protocol 0, length, unit, PDU. */
import { bytesOfWords, wordAt } from './pack.ts'
import { PDU_MAX } from './pdu.ts'

const HEADER = 7

export type TcpFrame = { id: number; unit: number; pdu: Uint8Array }

export function tcpFrame({ id, unit, pdu }: TcpFrame): Uint8Array {
  const frame = new Uint8Array(HEADER + pdu.length)
  frame.set([...bytesOfWords([id, 0, pdu.length + 1]), unit])
  frame.set(pdu, HEADER)
  return frame
}

/**
 * The whole frames at the beginning of what has come, and what is left. broken: this stream is no Modbus TCP, or has lost
 * its place; it does not come back from that, so the connection is to be closed.
 */
export function takeTcpFrames(bytes: Uint8Array): { frames: TcpFrame[]; rest: Uint8Array; broken: boolean } {
  const frames: TcpFrame[] = []
  let at = 0
  while (bytes.length - at >= HEADER) {
    const length = wordAt(bytes, at + 4)
    if (wordAt(bytes, at + 2) !== 0 || length < 2 || length > PDU_MAX + 1) {
      return { frames, rest: bytes.subarray(at), broken: true }
    }
    const end = at + 6 + length
    if (end > bytes.length) break
    frames.push({ id: wordAt(bytes, at), unit: bytes[at + 6] ?? 0, pdu: bytes.slice(at + HEADER, end) })
    at = end
  }
  return { frames, rest: bytes.subarray(at), broken: false }
}
