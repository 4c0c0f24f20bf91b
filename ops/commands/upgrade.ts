import { GUARD_MIN_FAILURES, GUARD_PERCENT } from '#schema/task/task-guard'
import { addLevelUp } from '#schema/task/upgrade'
import { cliCommand, formatOf } from '../cli-command.ts'
import { ask } from '../client.ts'
import { usage } from '../exit.ts'
import { note, printOne } from '../print.ts'
import { type TargetOptions, target } from '../target.ts'
import { moment, wholeNumber } from '../values.ts'
import { watchTask } from '../watch.ts'

type Options = TargetOptions & {
  package: number
  at?: string
  name?: string
  description?: string
  server?: string
  keepConfig: boolean
  waitOffline?: number
  maxFailures?: number
  maxFailurePercent?: number
  guard: boolean
  maxInFlight?: number
  wait?: true
  timeout: number
}
/** The limits: those given, or the one that the console proposes too. */
function guard({ guard: wanted, maxFailures, maxFailurePercent }: Options) {
  const named = maxFailures !== undefined || maxFailurePercent !== undefined
  if (!wanted) return named ? usage('--no-guard forbids --max-failures and --max-failure-percent') : {}
  return named ? { maxFailures, maxFailurePercent } : { maxFailurePercent: GUARD_PERCENT }
}

function printSkipped(skipped: { reason: string }[]): void {
  const reasons = new Map<string, number>()
  for (const { reason } of skipped) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  for (const [reason, count] of reasons) note(`skipped ${count}: ${reason}`)
}

export const upgrade = cliCommand((program) => {
  program
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
    .option('--max-failures <devices>', 'pause when so many devices have failed', wholeNumber)
    .option(
      '--max-failure-percent <percent>',
      `pause when so many percent of those tried have failed, at least ${GUARD_MIN_FAILURES.few} in a small task and ${GUARD_MIN_FAILURES.many} in one of more than 40 devices; default ${GUARD_PERCENT} unless --max-failures is given`,
      wholeNumber,
    )
    .option('--no-guard', 'never pause, however many fail')
    .option('--max-in-flight <devices>', 'at most so many at the same time', wholeNumber)
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
        ...guard(options),
        ...(options.maxInFlight === undefined ? {} : { maxInFlight: options.maxInFlight }),
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
