/** `ops config`: what devices run, how it differs, and changes of one device, a group or a list. */

import { compareConfigs } from '#schema/config/compare-configs'
import { applyMany, getConfigValues } from '#schema/config/config-many'
import { getConfigText } from '#schema/config/device-config'
import { compareUci } from '#schema/config/uci-import'
import { applyUci } from '../apply-uci.ts'
import { cliCommand, formatOf } from '../cli-command.ts'
import { ask } from '../client.ts'
import { readChange, refuseMasks } from '../config-change.ts'
import { registerTemplates } from '../config-templates.ts'
import { Exit, exitCodes, usage } from '../exit.ts'
import { fieldDifferences } from '../field-differences.ts'
import { finishConfig, showImpact, type Watched, warn, warnOf } from '../finish-config.ts'
import { type GuardOptions, guardOf, withGuard } from '../guard-options.ts'
import { note, print, printText } from '../print.ts'
import { oneDevice, type TargetOptions, target } from '../target.ts'
import { oneOf, wholeNumber } from '../values.ts'

type Get = { format: 'uci' | 'json'; desired?: true }
type Diff = { with?: string; file?: string; merge?: true; exitCode?: true }
type Apply = TargetOptions &
  GuardOptions &
  Watched & { file: string; from?: string; merge?: true; confirm?: number; dryRun?: true; name?: string }
type Row = { place: string; own: unknown; other: unknown; template?: string | null }

type Compared = { page: string; name: string; own: unknown; other: unknown; template?: string | null }
const fieldRows = ({ page, name, own, other, template }: Compared): Row[] =>
  fieldDifferences(`${page}.${name}`, own, other).map((one) =>
    template === undefined ? one : { ...one, template },
  )

async function fileDiff(deviceId: number, path: string, merge = false): Promise<Row[]> {
  const change = readChange(path)
  if ('uci' in change) {
    const { uci, faults, warnings } = await ask(compareUci, { deviceId, uciText: change.uci, merge })
    for (const { message } of faults) note(message)
    warn(warnings)
    return uci.map(({ place, before, after }) => ({ place, own: before, other: after }))
  }
  const { pages } = await ask(getConfigValues, { deviceId })
  await warnOf({ dids: [deviceId], pages: change.pages, fromId: deviceId })
  return Object.entries(change.pages).flatMap(([page, values]) =>
    Object.entries(values).flatMap(([name, other]) => {
      const own = pages[page]?.[name]
      return fieldRows({ page, name, own, other })
    }),
  )
}

/** Nothing is what such a device has, and no difference what a comparison with it finds: a script must not take that for an answer. */
async function refuseUnreported(...devices: readonly { sn: string; deviceId: number }[]): Promise<void> {
  for (const { sn, deviceId } of devices)
    if ((await ask(getConfigText, { deviceId })).text === '')
      throw new Exit(exitCodes.refused, `${sn} has reported no configuration`)
}

export const config = cliCommand((program) => {
  const group = program.command('config').description('read, compare and change configurations')
  group
    .command('get')
    .description('print the configuration of a device; passwords and keys are masked')
    .argument('<sn>')
    .option('--format <format>', 'uci: as `uci export`; json: values by page', oneOf(['uci', 'json']), 'uci')
    .option('--desired', 'what was set from here, not what it runs')
    .action(async (sn: string, { format, desired }: Get) => {
      const body = {
        deviceId: await oneDevice(sn),
        which: desired ? ('desired' as const) : ('running' as const),
      }
      if (!desired) await refuseUnreported({ sn, deviceId: body.deviceId })
      if (format === 'uci') printText((await ask(getConfigText, body)).text)
      else print('json', (await ask(getConfigValues, body)).pages, [])
    })
  group
    .command('diff')
    .description('compare a device with its templates, another device, or a file of UCI or values by page')
    .argument('<sn>')
    .option('--with <sn>', 'another device')
    .option('--file <path>', 'UCI, or YAML or JSON with values by page; - is standard input')
    .option('--merge', 'of a UCI file: what it lacks does not count')
    .option('--exit-code', 'end with 1 if anything differs')
    .action(async (sn: string, options: Diff, command) => {
      if (options.with && options.file) return usage('compare with --with or with --file')
      const deviceId = await oneDevice(sn)
      const withId = options.with ? await oneDevice(options.with) : undefined
      await refuseUnreported(
        { sn, deviceId },
        ...(options.with && withId !== undefined ? [{ sn: options.with, deviceId: withId }] : []),
      )
      const rows = options.file
        ? await fileDiff(deviceId, options.file, options.merge)
        : (
            await ask(compareConfigs, {
              deviceId,
              ...(withId === undefined ? {} : { withId }),
            })
          ).fields.flatMap(({ template, ...one }) => fieldRows(options.with ? one : { ...one, template }))
      print(formatOf(command), rows, rows, [
        'place',
        'own',
        'other',
        ...(options.with || options.file ? [] : ['template']),
      ])
      if (options.exitCode && rows.length > 0) throw new Exit(exitCodes.failures)
    })
  const apply = group
    .command('apply')
    .description('change the configuration of devices, on trial where it could cut them off')
    .requiredOption(
      '-f, --file <path>',
      'UCI (one device), or YAML or JSON with values by page; - is standard input',
    )
    .option('--devices <sns>', 'serial numbers, separated by commas')
    .option('--group <group>', 'id or name; groups below it included')
    .option('--all', 'every device')
    .option('--from <sn>', 'whose passwords stand behind the masks of the file')
    .option('--merge', 'of a UCI file: what it lacks stays')
    .option('--confirm <seconds>', 'how long the device tries it', wholeNumber)
    .option('--name <name>', 'name of the task')
  withGuard(apply)
    .option('--dry-run', 'say what would change; nothing is sent')
    .option('--wait', 'watch the task to its end')
    .option('--timeout <seconds>', 'with --wait: give up watching (the task goes on)', wholeNumber, 3600)
    .action(async (options: Apply, command) => {
      const format = formatOf(command)
      const change = readChange(options.file)
      const selection = await target(options)
      const [only] = 'dids' in selection && selection.dids.length === 1 ? selection.dids : []
      if ('uci' in change) {
        if (only === undefined)
          return usage('a UCI text is for one device; use values by page, or a template')
        return applyUci(
          format,
          { deviceId: only, uciText: change.uci, merge: options.merge ?? false },
          options,
        )
      }
      const fromId = options.from ? await oneDevice(options.from) : only
      if (fromId === undefined) refuseMasks(options.file, change.pages)
      const body = { ...selection, pages: change.pages, ...(fromId === undefined ? {} : { fromId }) }
      if (options.dryRun) return showImpact(format, body)
      const warnings = await warnOf(body)
      const made = await ask(applyMany, {
        ...body,
        name: options.name ?? `Configuration by ops, ${new Date().toISOString().slice(0, 16)}Z`,
        ...guardOf(options),
        ...(options.confirm === undefined ? {} : { confirmS: options.confirm }),
      })
      await finishConfig(format, made, warnings, options)
    })
  registerTemplates(group)
})
