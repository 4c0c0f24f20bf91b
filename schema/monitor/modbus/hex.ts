/** Bytes as hexadecimal digits: frames that people read, and patterns such as "no value". */

export const hexOf = (bytes: Uint8Array, between = ''): string =>
  Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(between)

/** null: not an even number of hexadecimal digits. Blanks between them are allowed. */
export function bytesOfHex(text: string): Uint8Array | null {
  const digits = text.replace(/[\s:]/g, '')
  if (digits.length % 2 !== 0 || /[^0-9a-f]/i.test(digits)) return null
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
