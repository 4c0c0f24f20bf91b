import { addLevelUp } from '#schema/task/upgrade'
import { cliCommand, formatOf } from '../cli-command.ts'
import { ask } from '../client.ts'
import { type GuardOptions, guardOf, withGuard } from '../guard-options.ts'
import { note, printOne } from '../print.ts'
import { type TargetOptions, target } from '../target.ts'
import { moment, wholeNumber } from '../values.ts'
import { watchTask } from '../watch.ts'

type Options = TargetOptions &
  GuardOptions & {
    package: number
    at?: string
    name?: string
    description?: string
    server?: string
    keepConfig: boolean
    waitOffline?: number
    wait?: true
    timeout: number
  }
function printSkipped(skipped: { reason: string }[]): void {
  const reasons = new Map<string, number>()
  for (const { reason } of skipped) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  for (const [reason, count] of reasons) note(`skipped ${count}: ${reason}`)
}

export const upgrade = cliCommand((program) => {
  const create = program
    .command('upgrade')
    .description('upgrade devices')
    .command('create')
    .description('create an upgrade task')
    .requiredOption('--package <id>', 'from `ops packages list`', wholeNumber)
    .option('--devices <sns>', 'serial numbers, separated by commas')
    .option('--group <group>', 'id or name; groups below it included')
    .option('--all', 'every device that the package fits')
    .option('--at <time>', 'start time, default now', moment)
    .option('--name <name>', 'name of the task')
    .option('--description <text>')
    .option('--server <url>', 'a configured file server')
    .option('--no-keep-config', 'reset the settings of the devices')
    .option('--wait-offline <minutes>', 'how long an offline device is waited for', wholeNumber)
  withGuard(create)
    .option('--wait', 'watch the task to its end')
    .option('--timeout <seconds>', 'with --wait: give up watching (the task goes on)', wholeNumber, 3600)
    .action(async (options: Options, command) => {
      const made = await ask(addLevelUp, {
        ...(await target(options)),
        spId: options.package,
        name: options.name ?? `Package ${options.package} by ops, ${new Date().toISOString().slice(0, 16)}Z`,
        keepConfig: options.keepConfig,
        startAt: options.at,
        server: options.server,
        ...guardOf(options),
        ...(options.description === undefined ? {} : { description: options.description }),
        ...(options.waitOffline === undefined ? {} : { waitOfflineMinutes: options.waitOffline }),
      })
      printSkipped(made.skipped)
      const format = formatOf(command)
      if (options.wait) {
        note(`task ${made.taskId}: ${made.devices} devices`)
        await watchTask(format, made.taskId, options.timeout)
      } else
        printOne(
          format,
          format === 'json'
            ? made
            : { taskId: made.taskId, devices: made.devices, skipped: made.skipped.length },
        )
    })
})
