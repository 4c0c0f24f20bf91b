import { randomInt } from 'node:crypto'
import type { Transaction } from '#infra/postgres'
import { isGoodPassword, PASSWORD_MAX } from '#schema/people/session'
import { Exit, exitCodes, usage } from '../exit.ts'
import { note } from '../print.ts'
import { readText } from '../values.ts'
import { word } from '../word.ts'

/** No letters that look like others: it will be typed. About 80 random bits. */
const letters = 'abcdefghijkmnpqrstuvwxyz23456789'

function makePassword(): string {
  for (;;) {
    const made = Array.from({ length: PASSWORD_MAX }, () => letters[randomInt(letters.length)]).join('')
    if (isGoodPassword(made)) return made
  }
}

type Change = (tx: Transaction, userId: number) => Promise<unknown>

/** Changes one user in the database itself; what was done is in the operation log. */
async function changeUser(username: string, call: string, change: Change): Promise<void> {
  // Loaded here only: every other command works far from the database.
  const [{ readEnv, SettingError }, { findDatabaseUrl }, { openDatabase }] = await Promise.all([
    import('#infra/env'),
    import('#infra/run-room'),
    import('#infra/postgres'),
  ])
  let url: string
  try {
    url = findDatabaseUrl(readEnv())
  } catch (error) {
    if (error instanceof SettingError) return usage(error.message)
    throw error
  }
  const database = openDatabase(url, { max: 1, applicationName: 'iot-ops' })
  try {
    const found = await database.sql.begin(async (tx) => {
      const [user] = await tx<{ id: number }[]>`
        select id from users where lower(username) = lower(${username}) for update`
      if (!user) return false
      await change(tx, user.id)
      await tx`update sessions set ended_at = now() where user_id = ${user.id} and ended_at is null`
      await tx`delete from login_attempts where key like ${`pair:${username.replace(/[\\%_]/g, '\\$&')}|%`} or key = ${`name:${username}`}`
      await tx`insert into operations (user_id, username, call, code) values (${user.id}, ${username}, ${call}, 0)`
      return true
    })
    if (!found) throw new Exit(exitCodes.refused, `no user ${username}`)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ECONNREFUSED' || code === 'CONNECT_TIMEOUT')
      throw new Exit(exitCodes.refused, 'the database cannot be reached: is the platform running?')
    throw error
  } finally {
    await database.close()
  }
}

async function resetPassword(username: string, password: string): Promise<void> {
  const { hashPassword } = await import('#infra/secrets')
  const hash = await hashPassword(password)
  await changeUser(username, 'ops/admin/reset-password', async (tx, userId) => {
    await tx`update users set password_hash = ${hash}, status = 1 where id = ${userId}`
    // Whoever knew the old password is out, tokens made with it too.
    await tx`update api_tokens set revoked_at = now() where user_id = ${userId} and revoked_at is null`
  })
}

const resetSecondFactor = (username: string) =>
  changeUser(username, 'ops/admin/reset-second-factor', async (tx, userId) => {
    await tx`update users set totp_at = null, totp_secret = null, totp_step = null where id = ${userId}`
    await tx`delete from recovery_codes where user_id = ${userId}`
    await tx`delete from login_attempts where key = ${`totp:${userId}`}`
  })

export const admin = word((program) => {
  const commands = program
    .command('admin')
    .description('on the server itself: works on the database, without a login')
  commands
    .command('reset-second-factor')
    .description('turn off the second factor of a user who lost it, and end all sessions of the user')
    .requiredOption('--username <name>', 'whose')
    .action(async ({ username }: { username: string }) => {
      await resetSecondFactor(username)
      note(`the second factor of ${username} is off`)
    })
  commands
    .command('reset-password')
    .description('set a new password, end all sessions and API tokens of the user; prints the password once')
    .option('--username <name>', 'whose', 'admin')
    .option('--password-stdin', 'read the new password from standard input instead of making one')
    .action(async (options: { username: string; passwordStdin?: true }) => {
      const password = options.passwordStdin ? readText('-').replace(/\r?\n$/, '') : makePassword()
      if (!isGoodPassword(password))
        usage('a password has 6-16 characters and at least two kinds among digits, letters and others')
      await resetPassword(options.username, password)
      if (options.passwordStdin) note(`the password of ${options.username} is changed`)
      else process.stdout.write(`${password}\n`)
    })
})
