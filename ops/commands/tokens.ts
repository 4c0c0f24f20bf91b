import { permissions } from '#infra/rights'
import { createApiToken, getApiTokenList, revokeApiToken } from '#schema/people/token'
import { cliCommand, formatOf } from '../cli-command.ts'
import { ask } from '../client.ts'
import { usage } from '../exit.ts'
import { note, print, printOne } from '../print.ts'
import { wholeNumber } from '../values.ts'

/** Function ids by number or by name. */
function functionIds(text: string): number[] {
  const idOf = new Map(permissions.map(({ id, name }) => [name, id]))
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : (idOf.get(part) ?? usage(`no function ${part}`))))
}

export const tokens = cliCommand((program) => {
  const group = program.command('tokens').description('create, list and revoke API tokens')
  group
    .command('create')
    .description('a token for scripts; shown once')
    .requiredOption('--name <name>')
    .option(
      '--functions <list>',
      `function ids or names, separated by commas; default: all that you hold (${permissions.map(({ name }) => name).join(', ')})`,
      functionIds,
      [],
    )
    .option('--days <number>', 'until it expires', wholeNumber, 90)
    .action(async (options: { name: string; functions: number[]; days: number }, command) => {
      const made = await ask(createApiToken, {
        name: options.name,
        functionIds: options.functions,
        expiresInDays: options.days,
      })
      printOne(formatOf(command), made)
      note('the token is not shown again; use it as IOT_TOKEN')
    })
  group
    .command('list')
    .description('your tokens')
    .action(async (_options, command) => {
      const found = await ask(getApiTokenList, { limit: 1000 })
      print(formatOf(command), found, found.list)
    })
  group
    .command('revoke')
    .description('end a token at once')
    .argument('<id>', '', wholeNumber)
    .action(async (id: number) => {
      await ask(revokeApiToken, { id })
      note(`token ${id} is revoked`)
    })
})
