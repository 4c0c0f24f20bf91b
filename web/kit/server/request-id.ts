/** Ids of requests: quoted to support, found in the operation log and in the server's log. */

/** `crypto.randomUUID` is available over HTTPS only. */
export function makeRequestId(): string {
  const digits = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  )
  const text = digits.join('')
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-a${text.slice(17, 20)}-${text.slice(20)}`
}
