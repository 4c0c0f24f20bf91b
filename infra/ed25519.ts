/**
 * Ed25519 keys and signatures as openssl (PEM), signify and usign (`Ed`, 8 bytes that name the key, then the key or
 * signature) or plain base64 write them.
 */
import { createHash, createPublicKey, verify } from 'node:crypto'

export type PublicKey = { keyName: string; bytes: Buffer }
export type Signature = { keyName: string | null; bytes: Buffer }

const KEY_BYTES = 32
const SIGNATURE_BYTES = 64
const NAME_BYTES = 8
const SIGNIFY = Buffer.from('Ed')
/** SubjectPublicKeyInfo of an Ed25519 key without the key [RFC 8410]. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** The last line that is no comment; of PEM all lines between its borders. */
function decoded(text: string): Buffer {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const body = text.includes('-----BEGIN')
    ? lines.filter((line) => line !== '' && !line.startsWith('-----')).join('')
    : (lines.findLast((line) => line !== '' && !line.startsWith('untrusted comment:')) ?? '')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(body) ? Buffer.from(body, 'base64') : Buffer.alloc(0)
}

const isSignify = (bytes: Buffer, content: number) =>
  bytes.length === SIGNIFY.length + NAME_BYTES + content && bytes.subarray(0, 2).equals(SIGNIFY)
const nameIn = (bytes: Buffer) => bytes.subarray(2, 2 + NAME_BYTES).toString('hex')
/** For keys that came without a name. */
const nameOf = (key: Buffer) =>
  createHash('sha256')
    .update(key)
    .digest('hex')
    .slice(0, NAME_BYTES * 2)

/** null: it is none. */
export function readPublicKey(text: string): PublicKey | null {
  const bytes = decoded(text)
  if (isSignify(bytes, KEY_BYTES)) return { keyName: nameIn(bytes), bytes: bytes.subarray(2 + NAME_BYTES) }
  const raw =
    bytes.length === SPKI.length + KEY_BYTES && bytes.subarray(0, SPKI.length).equals(SPKI)
      ? bytes.subarray(SPKI.length)
      : bytes
  return raw.length === KEY_BYTES ? { keyName: nameOf(raw), bytes: raw } : null
}

/** null: it is none. */
export function readSignature(text: string): Signature | null {
  const bytes = decoded(text)
  if (isSignify(bytes, SIGNATURE_BYTES))
    return { keyName: nameIn(bytes), bytes: bytes.subarray(2 + NAME_BYTES) }
  return bytes.length === SIGNATURE_BYTES ? { keyName: null, bytes } : null
}

/** The line that usign reads, for a key or a signature. */
export const signifyLine = ({ keyName, bytes }: PublicKey) =>
  Buffer.concat([SIGNIFY, Buffer.from(keyName, 'hex'), bytes]).toString('base64')

/** The key that made this signature of the text; null: none of them. */
export function signerOf<K extends PublicKey>(
  keys: readonly K[],
  text: string,
  signature: Signature,
): K | null {
  return (
    keys.find(({ keyName, bytes }) => {
      if (signature.keyName !== null && signature.keyName !== keyName) return false
      const key = createPublicKey({ key: Buffer.concat([SPKI, bytes]), format: 'der', type: 'spki' })
      return verify(null, Buffer.from(text), key, signature.bytes)
    }) ?? null
  )
}
