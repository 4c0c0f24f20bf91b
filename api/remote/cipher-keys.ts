/**
 * ssh2 makes a cipher for each packet. Given a buffer as its key, Node 24 first makes a key object of it, on a path where it throws and catches an error
 * with a stack trace: that was a quarter of the processor time of a download. Given a key object, it does not [decisions/152].
 */
import { createSecretKey } from 'node:crypto'
import type { Client, Connection } from 'ssh2'

/** Where ssh2 1.17 keeps what it passes to `createCipheriv`, `createDecipheriv` and `createHmac`. */
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

/** Makes key objects of the keys of a connection after each key exchange. */
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
