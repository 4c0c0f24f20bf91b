/**
 * `npm run admin`: maintenance commands for the server itself. Unlike `ops`, which is a client of the API, this room
 * opens the database and needs no login: access to the server is the authorization.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { readSettings, SettingError } from '#infra/env'
import { StoreAway } from '#infra/files/object-client'
import { openFiles } from '#infra/files/open'
import { isGoodPassword } from '#schema/people/session'
import { moveFiles } from './move-files.ts'
import { makePassword, resetPassword, resetSecondFactor } from './reset-user.ts'
import { NothingToSave, saveFiles } from './save-files.ts'

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

/** Ends the process if there is no database, or it does not respond. */
async function openBucket(says: string) {
  const env = readSettings()
  if (!env.FILES_URL) end(exitCodes.usage, `FILES_URL is not set: it says ${says}`)
  const store = openFiles(env)
  if (!(await store.answers()))
    end(
      exitCodes.refused,
      'the store of FILES_URL does not answer, or not with these keys, or is no object store',
    )
  return store
}

program
  .command('save-files')
  .description(
    'back up FILES_URL: copy what is new there to a folder; move-files --keep --from brings it back',
  )
  .requiredOption('--to <folder>', 'the folder; made if it is not there')
  .option('--prune', 'remove from the folder what the store has no more')
  .action(async ({ to, prune }: { to: string; prune?: true }) => {
    const store = await openBucket('what to save')
    const { saved, there, removed, bytes } = await saveFiles(store, to, prune === true)
    note(`${saved} files (${bytes} bytes) saved, ${there} were there already, ${removed} removed`)
    store.close()
  })

program
  .command('move-files')
  .description('move packages, configuration files, backups and recordings from DATA_DIR/files to FILES_URL')
  .option('--keep', 'copy only, so that a platform which still uses the folder goes on')
  .option('--from <folder>', 'another folder, such as one of save-files')
  .action(async ({ keep, from }: { keep?: true; from?: string }) => {
    const source = from ?? join(readSettings().DATA_DIR, 'files')
    if (!existsSync(source)) end(exitCodes.usage, `there is no folder ${source}`)
    const store = await openBucket('where to move them')
    const { moved, there, growing, bytes } = await moveFiles(source, store, keep === true)
    note(`${moved} files (${bytes} bytes) ${keep ? 'copied' : 'moved'}, ${there} were there already`)
    if (growing > 0) end(exitCodes.failed, `${growing} are being written: run this again when they are not`)
  })

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError)
    process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  else if (error instanceof SettingError) end(exitCodes.usage, error.message)
  else if (error instanceof NothingToSave || error instanceof StoreAway) end(exitCodes.refused, error.message)
  else if (['ECONNREFUSED', 'CONNECT_TIMEOUT'].includes((error as NodeJS.ErrnoException).code ?? ''))
    end(exitCodes.refused, 'the database cannot be reached: is the platform running?')
  else if ((error as Error).name === 'PostgresError')
    end(exitCodes.refused, `the database does not do this: ${(error as Error).message}`)
  // A folder that cannot be read or written, or a full disk.
  else if ((error as NodeJS.ErrnoException).syscall !== undefined)
    end(exitCodes.failed, (error as Error).message)
  else throw error
}
