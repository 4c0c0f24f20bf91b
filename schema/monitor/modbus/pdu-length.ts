/**
 * How long a PDU is, from its first bytes. A serial line marks the end of a frame by silence, which programs above a
 * driver or a TCP converter cannot measure: they must know the length instead. null: more bytes are needed; 0: nothing
 * that can be read, so that the rest of the line is noise.
 */
import { EXCEPTION_BIT, MEI_IDENTITY } from './pdu.ts'

const counted = (count: number | undefined, before: number) => (count === undefined ? null : before + count)

function identityLength(pdu: Uint8Array): number | null {
  if (pdu.length < 7) return pdu[1] === undefined || pdu[1] === MEI_IDENTITY ? null : 0
  let at = 7
  for (let left = pdu[6] ?? 0; left > 0; left--) {
    const length = pdu[at + 1]
    if (length === undefined) return null
    at += 2 + length
  }
  return at
}

export function answerLength(pdu: Uint8Array): number | null {
  const fn = pdu[0]
  if (fn === undefined) return null
  if (fn & EXCEPTION_BIT) return 2
  if (fn <= 4 || fn === 23) return fn === 0 ? 0 : counted(pdu[1], 2)
  if (fn === 5 || fn === 6 || fn === 15 || fn === 16) return 5
  if (fn === 22) return 7
  return fn === 43 ? identityLength(pdu) : 0
}

export function requestLength(pdu: Uint8Array): number | null {
  const fn = pdu[0]
  if (fn === undefined) return null
  if (fn >= 1 && fn <= 6) return 5
  if (fn === 15 || fn === 16) return counted(pdu[5], 6)
  if (fn === 22) return 7
  if (fn === 23) return counted(pdu[9], 10)
  return fn === 43 ? 4 : 0
}
