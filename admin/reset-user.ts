/** Changes one user directly in the database, for administrators who can no longer log in. */
import { randomInt } from 'node:crypto'
import { readSettings } from '#infra/env'
import { openDatabase, type Transaction } from '#infra/postgres'
import { findDatabaseUrl } from '#infra/run-room'
import { hashPassword } from '#infra/secrets'
import { isGoodPassword, PASSWORD_MAX } from '#schema/people/session'

/** Without letters that are easily confused, because people will type it. About 80 random bits. */
const letters = 'abcdefghijkmnpqrstuvwxyz23456789'

export function makePassword(): string {
  for (;;) {
    const made = Array.from({ length: PASSWORD_MAX }, () => letters[randomInt(letters.length)]).join('')
    if (isGoodPassword(made)) return made
  }
}

type Change = (tx: Transaction, userId: number) => Promise<unknown>

/**
 * Changes the user, ends their sessions and login throttling, and writes the operation log, in one transaction.
 * @returns whether the user exists.
 */
async function changeUser(username: string, call: string, change: Change): Promise<boolean> {
  const database = openDatabase(findDatabaseUrl(readSettings()), { max: 1, applicationName: 'iot-admin' })
  try {
    return await database.sql.begin(async (tx) => {
      const [user] = await tx<{ id: number; username: string; names: string[] }[]>`
        select id, username, array_remove(array[lower(username), lower(email)], null) as names from users where lower(username) = lower(${username}) for update`
      if (!user) return false
      await change(tx, user.id)
      await tx`update sessions set ended_at = now() where user_id = ${user.id} and ended_at is null`
      // Failures are counted by what was typed, in lower case: the name or the e-mail address.
      await tx`delete from login_attempts a using unnest(${user.names}::text[]) name
        where starts_with(a.key, 'pair:' || name || '|') or a.key = 'name:' || name`
      await tx`insert into operations (user_id, username, call, code) values (${user.id}, ${user.username}, ${call}, 0)`
      return true
    })
  } finally {
    await database.close()
  }
}

export async function resetPassword(username: string, password: string): Promise<boolean> {
  const hash = await hashPassword(password)
  return changeUser(username, 'admin/reset-password', async (tx, userId) => {
    await tx`update users set password_hash = ${hash}, status = 1 where id = ${userId}`
    await tx`update invitations set user_id = null where user_id = ${userId}`
    // Tokens created by someone who knew the old password must not stay valid.
    await tx`update api_tokens set revoked_at = now() where user_id = ${userId} and revoked_at is null`
  })
}

export const resetSecondFactor = (username: string): Promise<boolean> =>
  changeUser(username, 'admin/reset-second-factor', async (tx, userId) => {
    await tx`update users set totp_at = null, totp_secret = null, totp_step = null where id = ${userId}`
    await tx`delete from recovery_codes where user_id = ${userId}`
    await tx`delete from login_attempts where key = ${`totp:${userId}`}`
  })
