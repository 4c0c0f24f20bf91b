import { userLogout } from '#schema/people/session'
import { cliCommand } from '../cli-command.ts'
import { ask } from '../client.ts'
import { forgetLogin } from '../stored-login.ts'

export const logout = cliCommand((program) => {
  program
    .command('logout')
    .description('end the kept session')
    .action(async () => {
      try {
        await ask(userLogout, {})
      } finally {
        forgetLogin()
      }
    })
})
