/**
 * The public key that n2n 3 derives from a user name and a password, as its tool n2n-keygen prints it; checked against
 * the examples of n2n's doc/Authentication.md. Hash: Pearson B by Logan007, public domain.
 */
import { createPrivateKey, createPublicKey, diffieHellman } from 'node:crypto'

const MASK = (1n << 64n) - 1n

/** David Stafford's Mix13. */
function mix(value: bigint): bigint {
  let x = value
  x = ((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK
  x = ((x ^ (x >> 27n)) * 0x94d049bb133111ebn) & MASK
  return x ^ (x >> 31n)
}

/** 256 bits: four lanes that differ in what is subtracted before mixing. */
export function pearson256(input: Buffer): Buffer {
  let lanes = [0n, 0n, 0n, 0n]
  const round = (word: bigint) => {
    lanes = lanes.map((lane, i) => mix(((lane ^ word) - BigInt(i + 1)) & MASK))
  }
  const invert = () => {
    lanes = lanes.map((lane) => ~lane & MASK)
  }
  let at = 0
  for (; at + 8 <= input.length; at += 8) round(input.readBigUInt64LE(at))
  invert()
  for (; at < input.length; at++) round(BigInt(input[at] ?? 0))
  invert()
  round(BigInt(input.length))
  const out = Buffer.alloc(32)
  for (const [i, lane] of lanes.toReversed().entries()) out.writeBigUInt64BE(lane, i * 8)
  return out
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-'

/** Six bits per character, most significant first, padded with zeros. */
function toText(bytes: Buffer): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{1,6}/g) ?? []).map((six) => DIGITS[Number.parseInt(six.padEnd(6, '0'), 2)]).join('')
}

/** n2n's generator: 9 in the last byte, where Curve25519 itself has it in the first. */
const GENERATOR = Buffer.concat([Buffer.alloc(31), Buffer.from([9])])
/** DER around 32 bytes of X25519 [RFC 8410]. */
const PRIVATE_DER = Buffer.from('302e020100300506032b656e04220420', 'hex')
const PUBLIC_DER = Buffer.from('302a300506032b656e032100', 'hex')

function publicOf(privateKey: Buffer): string {
  return toText(
    diffieHellman({
      privateKey: createPrivateKey({
        key: Buffer.concat([PRIVATE_DER, privateKey]),
        format: 'der',
        type: 'pkcs8',
      }),
      publicKey: createPublicKey({
        key: Buffer.concat([PUBLIC_DER, GENERATOR]),
        format: 'der',
        type: 'spki',
      }),
    }),
  )
}

const privateOf = (secret: string) => pearson256(pearson256(Buffer.from(secret)))

/** 43 characters for a line `* <user> <key>`. `user` as edges send it: 15 bytes at most. */
export function n2nPublicKey(user: string, password: string): string {
  const bound = pearson256(Buffer.from(user))
  return publicOf(privateOf(password).map((byte, i) => byte ^ (bound[i] ?? 0)) as Buffer)
}
