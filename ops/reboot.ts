/** `ops devices reboot`: many devices, at the pace of the platform. */
import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { reboot } from '#schema/device/commands/power'
import { previewCommandBatch, sendCommandBatch } from '#schema/task/command-batch'
import { ask } from './client.ts'
import { note, print, printOne } from './print.ts'
import { type TargetOptions, target } from './target.ts'
import { wholeNumber } from './values.ts'
import { watchBatch } from './watch-batch.ts'
import { formatOf } from './word.ts'

type Options = TargetOptions & {
  dryRun?: true
  atMost?: number
  requestId?: string
  wait?: true
  timeout: number
}

export const WATCH_S = 3600

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
    .option('--wait', 'watch it to its end')
    .option('--timeout <seconds>', 'with --wait: give up watching (it goes on)', wholeNumber, WATCH_S)
    .action(async (options: Options, command) => {
      const format = formatOf(command)
      const selection = { ...(await target(options)), name: reboot.name }
      if (options.dryRun) {
        const found = await ask(previewCommandBatch, selection)
        return print(format, found, [
          { what: 'matching', value: found.matching },
          { what: 'eligible', value: found.eligible },
          ...found.leftOut.map(({ reason, count }) => ({ what: `not: ${reason}`, value: count })),
        ])
      }
      const made = await ask(sendCommandBatch, {
        ...selection,
        requestId: options.requestId ?? randomUUID(),
        ...(options.atMost === undefined ? {} : { atMost: options.atMost }),
      })
      for (const { reason, count } of made.leftOut) note(`left out ${count}: ${reason}`)
      if (!options.wait)
        return printOne(format, format === 'json' ? made : { batchId: made.batchId, devices: made.devices })
      note(`batch ${made.batchId}: ${made.devices} devices`)
      await watchBatch(format, made.batchId, options.timeout)
    })
}
