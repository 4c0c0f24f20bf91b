/** `ops devices reboot`: many devices, at the platform's pace. */
import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { reboot } from '#schema/device/commands/power'
import { addTask, previewTask } from '#schema/task/add-task'
import { formatOf } from './cli-command.ts'
import { ask } from './client.ts'
import { note, print, printOne } from './print.ts'
import { type TargetOptions, target } from './target.ts'
import { wholeNumber } from './values.ts'
import { watchTask } from './watch.ts'

type Options = TargetOptions & {
  dryRun?: true
  atMost?: number
  requestId?: string
  name?: string
  wait?: true
  timeout: number
}

const WATCH_S = 3600

export function addReboot(devices: Command): void {
  devices
    .command('reboot')
    .description('reboot the devices that are online, a part of each group at a time')
    .option('--devices <sns>', 'serial numbers, separated by commas')
    .option('--group <group>', 'id or name; groups below it included')
    .option('--all', 'every device')
    .option('--dry-run', 'say how many could be rebooted now, and why the others not')
    .option('--at-most <number>', 'refuse if more devices match', wholeNumber)
    .option('--request-id <uuid>', 'the same again makes no second reboot; default: a new one')
    .option('--name <name>', 'name of the task')
    .option('--wait', 'watch it to its end')
    .option('--timeout <seconds>', 'with --wait: give up watching (it goes on)', wholeNumber, WATCH_S)
    .action(async (options: Options, command) => {
      const format = formatOf(command)
      const selection = { ...(await target(options)), kind: reboot.name }
      if (options.dryRun) {
        const found = await ask(previewTask, selection)
        return print(format, found, [
          { what: 'matching', value: found.matching },
          { what: 'eligible', value: found.eligible },
          ...found.leftOut.map(({ reason, count }) => ({ what: `not: ${reason}`, value: count })),
        ])
      }
      const made = await ask(addTask, {
        ...selection,
        name: options.name ?? `Reboot by ops, ${new Date().toISOString().slice(0, 16)}Z`,
        requestId: options.requestId ?? randomUUID(),
        ...(options.atMost === undefined ? {} : { atMost: options.atMost }),
      })
      for (const { reason, count } of made.leftOut) note(`left out ${count}: ${reason}`)
      if (!options.wait)
        return printOne(format, format === 'json' ? made : { taskId: made.taskId, devices: made.devices })
      note(`task ${made.taskId}: ${made.devices} devices`)
      await watchTask(format, made.taskId, options.timeout)
    })
}
