/**
 * ssh2 creates a cipher for each packet. If the key is a buffer, Node 24 first converts it to a key object, on a code
 * path that throws and catches an error with a stack trace: a quarter of the processor time of a download. With a key
 * object it does not [decisions/152].
 */
import { createSecretKey } from 'node:crypto'
import type { Client, Connection } from 'ssh2'

/** Where ssh2 1.17 keeps the keys that it passes to `createCipheriv`, `createDecipheriv` and `createHmac`. */
const FIELDS = [
  '_encKey',
  '_encKeyMain',
  '_encKeyPktLen',
  '_decipherKey',
  '_decKeyMain',
  '_decKeyPktLen',
  '_macKey',
] as const

type Half = { [field in (typeof FIELDS)[number]]?: unknown }
/** Private to ssh2. A version without these fields is only slower; cipher-keys.test.ts fails then. */
type Halves = { _protocol?: { _cipher?: Half; _decipher?: Half } }

/** Replaces the keys of a connection by key objects after each key exchange. */
export function keepCipherKeys(connection: Connection | Client): void {
  const replace = () => {
    const { _protocol: protocol } = connection as Halves
    for (const half of [protocol?._cipher, protocol?._decipher])
      for (const field of FIELDS) {
        const key = half?.[field]
        if (half && Buffer.isBuffer(key)) half[field] = createSecretKey(key)
      }
  }
  ;(connection as Client).on('handshake', replace)
}
