/**
 * What an external broker with accounts of its own needs of a secret [decisions/138]. Mosquitto takes passwords in plain
 * text only, also when it has to be given all of them again; elsewhere the hash is enough.
 */
import type { Env } from './env.ts'
import { hashSecret, seal, unseal } from './secrets.ts'

type Sealing = Pick<Env, 'EXTERNAL_MQTT_URL' | 'EXTERNAL_MQTT_KIND' | 'JWT_SECRET'>

/** Whether a broker is told of each account, or will be: before the change to it our own broker may prepare that. */
export const keepsAccounts = (env: Sealing): boolean =>
  env.EXTERNAL_MQTT_URL !== undefined && env.EXTERNAL_MQTT_KIND === 'mosquitto'

/** What to store beside the hash of a new secret; null: nothing. */
export const sealFor = (env: Sealing, secret: string): string | null =>
  keepsAccounts(env) ? seal(secret, env.JWT_SECRET) : null

/** The secret; null if it was not kept, or is not the one of that hash. */
export function unsealFor(env: Sealing, sealed: string | null, hash: string): string | null {
  if (sealed === null) return null
  try {
    const secret = unseal(sealed, env.JWT_SECRET)
    return hashSecret(secret) === hash ? secret : null
  } catch {
    return null
  }
}
