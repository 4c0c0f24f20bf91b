import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { userLogin } from '#schema/people/session'
import { cliCommand } from '../cli-command.ts'
import { acceptLanguage, ask, platformUrl } from '../client.ts'
import { Exit, exitCodes, usage } from '../exit.ts'
import { note } from '../print.ts'
import { keepLogin } from '../stored-login.ts'
import { readText } from '../values.ts'

async function prompt(question: string, hidden: boolean): Promise<string> {
  if (!process.stdin.isTTY) return usage('no terminal to ask on: give --username and --password-stdin')
  let quiet = false
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      if (!quiet) process.stderr.write(chunk)
      done()
    },
  })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  // Ctrl-C rejects the question, Ctrl-D only closes it.
  const left = new Promise<never>((_, fail) => {
    lines.once('close', () => fail(new Exit(exitCodes.usage, 'cancelled')))
  })
  const answer = Promise.race([
    lines.question(question).catch(() => {
      throw new Exit(exitCodes.usage, 'cancelled')
    }),
    left,
  ])
  quiet = hidden
  try {
    return await answer
  } finally {
    left.catch(() => undefined)
    lines.close()
    if (hidden) process.stderr.write('\n')
  }
}

export const login = cliCommand((program) => {
  program
    .command('login')
    .description('log in and keep the session (until it expires) in ~/.config/iot-cloud/session.json')
    .option('--username <name>', 'asked for when absent')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (options: { username?: string; passwordStdin?: true }) => {
      const username = options.username ?? (await prompt('User name: ', false))
      const password = options.passwordStdin
        ? readText('-').replace(/\r?\n$/, '')
        : await prompt('Password: ', true)
      const url = platformUrl()
      const user = await ask(userLogin, { username, password, language: acceptLanguage() })
      keepLogin({ url, token: user.token, username: user.username })
      note(`logged in to ${url} as ${user.username}`)
    })
})
