import { generateKeyPairSync } from 'node:crypto'
import { furnish } from '../furnish.ts'

/** A key of the tenant; its name carries the tenant's. */
export const furnishSigningKey = furnish(async ({ sql }, tenant) => {
  const key = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).subarray(12)
  const [row] = await sql<{ id: number }[]>`
    insert into signing_keys (customer_id, name, key_name, public_key)
    values (${tenant.customerId}, ${`${tenant.name} key`}, ${key.subarray(0, 8).toString('hex')}, ${key.toString('base64')}) returning id`
  return { shared: { signingKeyId: row?.id } }
})
