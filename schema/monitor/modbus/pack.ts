/** Bits and words in the order of the wire. */

const byte = (value: number) => value & 0xff

export const bytesOfWords = (words: readonly number[]): number[] =>
  words.flatMap((word) => [byte(word >> 8), byte(word)])

export const wordAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)

export const wordsOfBytes = (bytes: Uint8Array): number[] =>
  Array.from({ length: bytes.length >> 1 }, (_, i) => wordAt(bytes, 2 * i))

/** Coils fill each byte from its least significant bit. */
export function bytesOfBits(bits: readonly boolean[]): number[] {
  const bytes = new Array<number>((bits.length + 7) >> 3).fill(0)
  bits.forEach((on, i) => {
    if (on) bytes[i >> 3] = (bytes[i >> 3] ?? 0) | (1 << (i & 7))
  })
  return bytes
}

export const bitsOfBytes = (bytes: Uint8Array, count: number): boolean[] =>
  Array.from({ length: count }, (_, i) => (((bytes[i >> 3] ?? 0) >> (i & 7)) & 1) === 1)
