import { expect, it } from 'vitest'
import {
  downloadSignature,
  hashPassword,
  hashSecret,
  ifReadable,
  makeSecret,
  OtherKey,
  sameText,
  seal,
  unseal,
  verifyPassword,
} from './secrets.ts'

it('a password verifies against its own argon2id hash and no other', async () => {
  const stored = await hashPassword('right-horse-7')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verifyPassword('right-horse-7', stored)).toBe(true)
  expect(await verifyPassword('right-horse-8', stored)).toBe(false)
  expect(await verifyPassword('right-horse-7', 'plain')).toBe(false)
})

it('the same password hashes differently each time', async () => {
  expect(await hashPassword('abc-123')).not.toBe(await hashPassword('abc-123'))
})

it('a device secret has 256 random bits in 43 characters', () => {
  const secrets = Array.from({ length: 100 }, makeSecret)
  expect(new Set(secrets).size).toBe(100)
  for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/)
  expect(hashSecret(secrets[0] ?? '')).toMatch(/^[0-9a-f]{64}$/)
})

it('compares texts of any length', () => {
  expect([sameText('a', 'a'), sameText('a', 'b'), sameText('a', 'aa'), sameText('', '')]).toEqual([
    true,
    false,
    false,
    true,
  ])
})

it('a download signature is bound to key, item, device and expiry', () => {
  const base = downloadSignature('k', 'i', 's', 1)
  expect(
    new Set([
      base,
      downloadSignature('K', 'i', 's', 1),
      downloadSignature('k', 'I', 's', 1),
      downloadSignature('k', 'i', 'S', 1),
      downloadSignature('k', 'i', 's', 2),
    ]).size,
  ).toBe(5)
})

it('what was encrypted with another key is told apart from what cannot be decrypted for another reason', () => {
  const sealed = seal('text', 'one key')
  expect([unseal(sealed, 'one key'), ifReadable(() => unseal(sealed, 'one key'))]).toEqual(['text', 'text'])
  expect(() => unseal(sealed, 'another')).toThrow(OtherKey)
  expect(ifReadable(() => unseal(sealed, 'another'))).toBe(null)
})
