/** `ops config template`: what devices of a customer are to have, and sending it to them. */
import type { Command } from 'commander'
import { applyMany } from '#schema/config/config-many'
import { getConfigTemplate, getConfigTemplateList } from '#schema/config/config-template'
import { formatOf } from './cli-command.ts'
import { ask } from './client.ts'
import { Exit, exitCodes } from './exit.ts'
import { finishConfig, showImpact, type Watched, warnOf } from './finish-config.ts'
import { type GuardOptions, guardOf, withGuard } from './guard-options.ts'
import { print } from './print.ts'
import { type TargetOptions, target } from './target.ts'
import { wholeNumber } from './values.ts'

type Apply = TargetOptions & GuardOptions & Watched & { dryRun?: true; name?: string; confirm?: number }

const shown = ['id', 'name', 'customerName', 'reached', 'behind', 'faulty', 'counting', 'updatedAt']

/** By id, or by its exact name. @throws Exit 3 if there is none, or several */
export async function templateId(text: string): Promise<number> {
  if (/^\d+$/.test(text)) return Number(text)
  const { list } = await ask(getConfigTemplateList, { search: text.slice(0, 100), limit: 1000 })
  const found = list.filter(({ name }) => name === text)
  if (found.length === 1 && found[0]) return found[0].id
  throw new Exit(
    exitCodes.refused,
    found.length === 0
      ? `no template ${text}`
      : `several templates ${text}: name it by its id (${found.map(({ id }) => id).join(', ')})`,
  )
}

export function registerTemplates(program: Command): void {
  const group = program.command('template').description('list, print and apply templates')
  group
    .command('list')
    .description('templates, with how many devices they reach and how many of those differ')
    .option('--search <text>')
    .option('--limit <rows>', 'at most so many', wholeNumber, 100)
    .action(async (options, command) => {
      const found = await ask(getConfigTemplateList, options)
      print(formatOf(command), found, found.list, shown)
    })
  group
    .command('show')
    .description('print the values of a template by page; passwords and keys are masked')
    .argument('<template>', 'id or name')
    .action(async (text: string, _options, command) => {
      const { pages, ...rest } = await ask(getConfigTemplate, { id: await templateId(text) })
      const rows = Object.entries(pages).flatMap(([page, values]) =>
        Object.entries(values).map(([field, value]) => ({ place: `${page}.${field}`, value })),
      )
      print(formatOf(command), { ...rest, pages }, rows, ['place', 'value'])
    })
  const apply = group
    .command('apply')
    .description('send to devices what their templates say: to all that this one reaches, or to some of them')
    .argument('<template>', 'id or name')
    .option('--devices <sns>', 'serial numbers, separated by commas')
    .option('--group <group>', 'id or name; groups below it included')
    .option('--confirm <seconds>', 'how long the devices try it', wholeNumber)
    .option('--name <name>', 'name of the task')
  withGuard(apply)
    .option('--dry-run', 'count what would change; nothing is sent')
    .option('--wait', 'watch the task to its end')
    .option('--timeout <seconds>', 'with --wait: give up watching (the task goes on)', wholeNumber, 3600)
    .action(async (text: string, options: Apply, command) => {
      const id = await templateId(text)
      const { devices, group: of } = options
      const chosen = await target({
        ...(devices === undefined ? {} : { devices }),
        ...(of === undefined ? {} : { group: of }),
        ...(devices === undefined && of === undefined ? { all: true as const } : {}),
      })
      const selection = 'dids' in chosen ? chosen : { filter: { ...chosen.filter, templateId: id } }
      const body = { ...selection, by: 'templates' as const }
      const format = formatOf(command)
      if (options.dryRun) return showImpact(format, body)
      const warnings = await warnOf(body)
      const made = await ask(applyMany, {
        ...body,
        name: options.name ?? `Template ${text} by ops`.slice(0, 64),
        ...guardOf(options),
        ...(options.confirm === undefined ? {} : { confirmS: options.confirm }),
      })
      await finishConfig(format, made, warnings, options)
    })
}
