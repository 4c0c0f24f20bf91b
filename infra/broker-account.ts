/**
 * What an external broker with its own accounts needs to know about a secret [decisions/138]. Mosquitto accepts only
 * plain-text passwords, even when all accounts have to be written to it again; elsewhere the hash is enough.
 */
import type { Env } from './env.ts'
import { hashSecret, seal, unseal } from './secrets.ts'

type Sealing = Pick<Env, 'EXTERNAL_MQTT_URL' | 'EXTERNAL_MQTT_KIND' | 'JWT_SECRET'>

/**
 * Whether an external broker gets each account, now or after a planned switch to it, which our own broker can prepare.
 */
export const keepsAccounts = (env: Sealing): boolean =>
  env.EXTERNAL_MQTT_URL !== undefined && env.EXTERNAL_MQTT_KIND === 'mosquitto'

/** What to store beside the hash of a new secret; null: nothing. */
export const sealFor = (env: Sealing, secret: string): string | null =>
  keepsAccounts(env) ? seal(secret, env.JWT_SECRET) : null

/** The secret; null if it was not stored, or does not match that hash. */
export function unsealFor(env: Sealing, sealed: string | null, hash: string): string | null {
  if (sealed === null) return null
  try {
    const secret = unseal(sealed, env.JWT_SECRET)
    return hashSecret(secret) === hash ? secret : null
  } catch {
    return null
  }
}
