import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, it } from 'vitest'
import { readPublicKey, readSignature, signerOf, signifyLine } from './ed25519.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(12)
const made = sign(null, Buffer.from('text'), privateKey)
const name = Buffer.from('0102030405060708', 'hex')
const signify = (content: Buffer) => Buffer.concat([Buffer.from('Ed'), name, content]).toString('base64')

it('reads a key as PEM, as base64, and as usign writes it, whose name it keeps', () => {
  const plain = readPublicKey(raw.toString('base64'))
  expect(readPublicKey(pem)).toEqual(plain)
  expect(plain?.bytes.equals(raw)).toBe(true)
  expect(readPublicKey(`untrusted comment: my key\n${signify(raw)}\n`)).toEqual({
    keyName: '0102030405060708',
    bytes: raw,
  })
})

it.each([
  '',
  'no key',
  raw.subarray(1).toString('base64'),
  '-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----',
])('refuses %j as a key', (text) => expect(readPublicKey(text)).toBeNull())

it('finds the key that made a signature, in either form, and writes it as usign reads it', () => {
  const key = { keyName: name.toString('hex'), bytes: raw }
  const other = readPublicKey(
    generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' }).toString(),
  )
  if (!other) throw new Error('a key')
  const keys = [other, key]
  for (const given of [made.toString('base64'), `untrusted comment: x\n${signify(made)}`]) {
    const signature = readSignature(given)
    if (!signature) throw new Error('a signature')
    expect(signerOf(keys, 'text', signature)).toBe(key)
    expect(signerOf(keys, 'text2', signature)).toBeNull()
    expect(signerOf([other], 'text', signature)).toBeNull()
    expect(signifyLine({ keyName: key.keyName, bytes: signature.bytes })).toBe(signify(made))
  }
})

it('a signature that names another key is not tried with this one', () => {
  const signature = readSignature(signify(made))
  const key = { keyName: 'ffffffffffffffff', bytes: raw }
  expect(signature && signerOf([key], 'text', signature)).toBeNull()
})
