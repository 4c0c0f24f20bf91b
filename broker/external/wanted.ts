/** The accounts that an external broker should have: devices with a secret, and enrolment keys that are valid. */
import { unsealFor } from '#infra/broker-account'
import type { Context } from '#infra/context'
import { auxiliaryUsers } from '#schema/device/auxiliary'
import { enrolUser } from '#schema/device/enrol'
import { deviceRules, type Rule } from './rules.ts'

/** Increased when rules change: accounts of another version are written again. */
const RULES_VERSION = 1
export const ENROL_ROLE = 'iot-enrol'
export const roleOf = (sn: string) => `device:${sn}`

export type Account = {
  username: string
  password: string
  /** The only client id that it may use; null: any. */
  clientId: string | null
  role: string
  /** The name of the account's own role. */
  rules: readonly Rule[] | null
  /** Fingerprint: differs when the password or the rules have changed. */
  mark: string
}

type DeviceRow = { sn: string; hash: string; sealed: string | null }
type KeyRow = { label: string; hash: string; sealed: string | null; free: boolean }

/** Reveals nothing of a secret of 256 random bits. */
const markOf = (hash: string) => `${RULES_VERSION}:${hash.slice(0, 16)}`

/**
 * `missing`: serial numbers whose secret is known by its hash only, because it was made before. `missingKeys`: the same of
 * enrolment keys that could still be used, by their labels.
 */
export async function wantedAccounts({ sql, env }: Pick<Context, 'sql' | 'env'>) {
  const rows = await sql<DeviceRow[]>`
    select sn, secret_hash as hash, secret_sealed as sealed from devices where secret_hash is not null and deleted_at is null`
  const keys = await sql<KeyRow[]>`
    select label, hash, key_sealed as sealed, used_count < max_count as free from enrolment_keys
    where revoked_at is null and expires_at > now() order by id`
  const missing: string[] = []
  const missingKeys: string[] = []
  const wanted = new Map<string, { mark: string; make(): Account | null }>()
  for (const { sn, hash, sealed } of rows) {
    if (sealed === null || sn === env.EXTERNAL_MQTT_USERNAME) {
      missing.push(sn)
      continue
    }
    const mark = markOf(hash)
    const make = () => {
      const password = unsealFor(env, sealed, hash)
      return password === null
        ? null
        : { username: sn, password, clientId: sn, role: roleOf(sn), rules: deviceRules(sn), mark }
    }
    wanted.set(sn, { mark, make })
    // Each connection has its own account: one that is bound to several client ids, or to none, could take over
    // connections of other devices.
    for (const user of auxiliaryUsers(sn).slice(0, env.EXTERNAL_MQTT_AUXILIARY))
      wanted.set(user, {
        mark,
        make: () => {
          const account = make()
          return account && { ...account, username: user, clientId: user, rules: null }
        },
      })
  }
  for (const { label, hash, sealed, free } of keys) {
    const password = unsealFor(env, sealed, hash)
    if (password === null) {
      if (free) missingKeys.push(label)
      continue
    }
    const username = enrolUser(password)
    const mark = markOf(hash)
    wanted.set(username, {
      mark,
      make: () => ({ username, password, clientId: null, role: ENROL_ROLE, rules: null, mark }),
    })
  }
  return { wanted, missing, missingKeys }
}
