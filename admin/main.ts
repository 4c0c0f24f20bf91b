/**
 * `npm run admin`: maintenance commands for the server itself. Unlike `ops`, which is a client of the API, this room
 * opens the database and needs no login: access to the server is the authorization.
 */
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { SettingError } from '#infra/env'
import { isGoodPassword } from '#schema/people/session'
import { makePassword, resetPassword, resetSecondFactor } from './reset-user.ts'

const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3 } as const

const note = (text: string) => process.stderr.write(`${text}\n`)

function end(code: number, message: string): never {
  note(message)
  process.exit(code)
}

const refuseUnknown = (username: string) => end(exitCodes.refused, `no user ${username}`)

const program = new Command('admin')
  .description('Maintenance on the server: works on the database, without a login.')
  .exitOverride()
  .showHelpAfterError('(see --help)')

program
  .command('reset-second-factor')
  .description('turn off the second factor of a user who lost it, and end all sessions of the user')
  .requiredOption('--username <name>', 'the user')
  .action(async ({ username }: { username: string }) => {
    if (!(await resetSecondFactor(username))) refuseUnknown(username)
    note(`the second factor of ${username} is off`)
  })

program
  .command('reset-password')
  .description('set a new password, end all sessions and API tokens of the user; prints the password once')
  .option('--username <name>', 'the user', 'admin')
  .option('--password-stdin', 'read the new password from standard input instead of generating one')
  .action(async (options: { username: string; passwordStdin?: true }) => {
    const password = options.passwordStdin ? readFileSync(0, 'utf8').replace(/\r?\n$/, '') : makePassword()
    if (!isGoodPassword(password))
      end(
        exitCodes.usage,
        'a password has 6-16 characters and at least two kinds among digits, letters and others',
      )
    if (!(await resetPassword(options.username, password))) refuseUnknown(options.username)
    if (options.passwordStdin) note(`the password of ${options.username} is changed`)
    else process.stdout.write(`${password}\n`)
  })

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError)
    process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  else if (error instanceof SettingError) end(exitCodes.usage, error.message)
  else if (['ECONNREFUSED', 'CONNECT_TIMEOUT'].includes((error as NodeJS.ErrnoException).code ?? ''))
    end(exitCodes.refused, 'the database cannot be reached: is the platform running?')
  else throw error
}
