/** Creates, hashes and compares secrets. Sources: NIST SP 800-63B for passwords, RFC 9106 for argon2id. */
import {
  argon2,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'

/** 256 random bits as 43 base64url characters. */
export const makeSecret = () => randomBytes(32).toString('base64url')
/** SHA-256, hex: sufficient for a secret of 256 random bits, and cheap enough for 10,000 simultaneous reconnects. */
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('hex')
/** HMAC-SHA-256, base64url. */
export const sign = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64url')

/** HMAC-SHA-256, base64, with a key in base64 or as text: the signature for webhooks and robots. */
export const hmacBase64 = (key: { base64: string } | { text: string }, text: string) =>
  createHmac('sha256', 'text' in key ? key.text : Buffer.from(key.base64, 'base64'))
    .update(text)
    .digest('base64')

/** Compares in constant time; texts of different lengths are unequal, without revealing where they differ. */
export function sameText(a: string, b: string): boolean {
  const left = createHash('sha256').update(a).digest()
  const right = createHash('sha256').update(b).digest()
  return timingSafeEqual(left, right)
}

const derive = promisify(argon2)
/** RFC 9106 second recommendation scaled to OWASP's minimum: 19 MiB, 2 passes, 1 lane. About 30 ms. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** argon2id in the PHC string format. The cost of a check is stored in the hash: only tests create cheap ones. */
export async function hashPassword(password: string, cost: typeof COST = COST): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { message: password, nonce, ...cost })
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/={1,2}$/, '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${text(nonce)}$${text(tag)}`
}

/** True if `stored` is the hash of `password`; false otherwise, also for a string that is no PHC hash. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored)
  if (!parts) return false
  const [, memory, passes, parallelism, nonce, tag] = parts as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const expected = Buffer.from(tag, 'base64')
  const made = await derive('argon2id', {
    message: password,
    nonce: Buffer.from(nonce, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  })
  return timingSafeEqual(expected, made)
}

/** The credential with which workers and api log in to the broker as `service:<name>`. */
export const servicePassword = (jwtSecret: string) => sign(jwtSecret, 'mqtt-service')
/** HTTP basic password of one task item. */
export const downloadPassword = (jwtSecret: string, item: string) =>
  sign(jwtSecret, `download-password:${item}`).slice(0, 32)
/** Signature of a download URL: bound to item, device and expiry. */
export const downloadSignature = (jwtSecret: string, item: string, sn: string, expiresAt: number) =>
  sign(jwtSecret, `download:${item}:${sn}:${expiresAt}`)
/** Signature of the URL that a device uploads one file to: bound to purpose, device and expiry. */
export const uploadSignature = (jwtSecret: string, subject: string, sn: string, expiresAt: number) =>
  sign(jwtSecret, `upload:${subject}:${sn}:${expiresAt}`)

const SEAL = 'aes-256-gcm'
const sealKey = (key: string) => createHash('sha256').update(`seal ${key}`).digest()

/** Encrypts a secret that must be readable (a shared key, a second factor); `key` is JWT_SECRET. Base64. */
export function seal(text: string, key: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv(SEAL, sealKey(key), iv)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')
}

/** JWT_SECRET is another one, or the database came from another installation. */
export class OtherKey extends Error {
  readonly code = 'OTHER_KEY'
  constructor() {
    super('encrypted with another JWT_SECRET')
  }
}

/** What `read` returns, or null if that was encrypted with another key: it must hold up nothing else. */
export function ifReadable<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof OtherKey) return null
    throw error
  }
}

/** @throws OtherKey if the text was encrypted with another key, or was changed. */
export function unseal(sealed: string, key: string): string {
  const raw = Buffer.from(sealed, 'base64')
  try {
    const decipher = createDecipheriv(SEAL, sealKey(key), raw.subarray(0, 12))
    decipher.setAuthTag(raw.subarray(12, 28))
    return Buffer.concat([decipher.update(raw.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    throw new OtherKey()
  }
}
