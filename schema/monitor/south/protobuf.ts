/**
 * Reads protobuf without a description: field by field, never deeper than it is asked to, and never past a length that the
 * bytes do not have. Unneeded fields are skipped without being read, so nested messages cost nothing.
 */

export type Field = {
  readonly number: number
  /** Varints and fixed numbers; bytes of others are in `bytes`. */
  readonly value: bigint
  readonly wire: 0 | 1 | 2 | 5
  readonly bytes: Uint8Array
}

const nothing = new Uint8Array()
/** Fields of one message; more are a bomb. */
const FIELDS_MAX = 20_000
/** [proto3] */
const VARINT_BYTES = 10

/** null: it is not protobuf. */
export function readFields(bytes: Uint8Array): Field[] | null {
  const fields: Field[] = []
  let at = 0
  const varint = (): bigint | null => {
    let value = 0n
    for (let n = 0; n < VARINT_BYTES; n++) {
      const byte = bytes[at++]
      if (byte === undefined) return null
      value |= BigInt(byte & 0x7f) << BigInt(7 * n)
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    return null
  }
  while (at < bytes.length) {
    const tag = varint()
    if (tag === null || tag > 0xffff_ffffn || fields.length >= FIELDS_MAX) return null
    const number = Number(tag >> 3n)
    const wire = Number(tag & 7n)
    if (number === 0) return null
    if (wire === 0) {
      const value = varint()
      if (value === null) return null
      fields.push({ number, value, wire, bytes: nothing })
    } else if (wire === 1 || wire === 5) {
      const size = wire === 1 ? 8 : 4
      if (at + size > bytes.length) return null
      const own = bytes.subarray(at, at + size)
      let value = 0n
      for (let n = size - 1; n >= 0; n--) value = (value << 8n) | BigInt(own[n] ?? 0)
      fields.push({ number, value, wire, bytes: own })
      at += size
    } else if (wire === 2) {
      const size = varint()
      if (size === null || size > BigInt(bytes.length - at)) return null
      fields.push({ number, value: 0n, wire, bytes: bytes.subarray(at, at + Number(size)) })
      at += Number(size)
    } else return null
  }
  return fields
}

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
export const asFloat = ({ bytes, wire }: Field): number =>
  wire === 5 ? view(bytes).getFloat32(0, true) : Number.NaN
export const asDouble = ({ bytes, wire }: Field): number =>
  wire === 1 ? view(bytes).getFloat64(0, true) : Number.NaN
export const asText = ({ bytes, wire }: Field): string => (wire === 2 ? new TextDecoder().decode(bytes) : '')
