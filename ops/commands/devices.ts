import { getDeviceList, importDevices } from '#schema/device/device'
import { deviceStates } from '#schema/device/device-state'
import { cliCommand, formatOf } from '../cli-command.ts'
import { ask } from '../client.ts'
import { Exit, exitCodes } from '../exit.ts'
import { note, print } from '../print.ts'
import { addReboot } from '../reboot.ts'
import { groupId, oneOf, readText, wholeNumber } from '../values.ts'

type ListOptions = {
  search?: string
  group?: string
  state?: (typeof deviceStates)[number]
  model?: string
  firmware?: string
  sort?: (typeof getDeviceList.sorts)[number]
  desc?: true
  limit: number
  page: number
}

const shown = [
  'deviceId',
  'deviceSn',
  'deviceName',
  'groupName',
  'model',
  'firmware',
  'state',
  'ip',
  'lastSeenAt',
]

export const devices = cliCommand((program) => {
  const group = program.command('devices').description('list, import and reboot devices')
  group
    .command('list')
    .description('devices that match')
    .option('--search <text>', 'part of serial, name, IMEI, ICCID, MAC or IP')
    .option('--group <group>', 'id or name; groups below it included')
    .option('--state <state>', deviceStates.join(', '), oneOf(deviceStates))
    .option('--model <model>')
    .option('--firmware <version>')
    .option('--sort <column>', getDeviceList.sorts.join(', '), oneOf(getDeviceList.sorts))
    .option('--desc', 'largest first')
    .option('--limit <rows>', 'rows per page', wholeNumber, 50)
    .option('--page <number>', 'page, from 1', wholeNumber, 1)
    .action(async (options: ListOptions, command) => {
      const { search, model, firmware, sort, limit } = options
      const found = await ask(getDeviceList, {
        search,
        model,
        firmware,
        sort,
        limit,
        offset: options.page,
        state: options.state,
        order: options.desc ? 'desc' : 'asc',
        ...(options.group ? { groupId: await groupId(options.group) } : {}),
      })
      print(formatOf(command), found, found.list, shown)
      if (found.total > found.list.length) note(`${found.list.length} of ${found.total}`)
    })

  addReboot(group)
  group
    .command('import')
    .description('CSV with the columns sn, name, group, address; prints the secrets of new devices, once')
    .argument('<file>', 'or - for standard input')
    .option('--dry-run', 'say what would happen, change nothing')
    .option('--group <group>', 'id or name, for lines without a group')
    .action(async (file: string, options: { dryRun?: true; group?: string }, command) => {
      const answer = await ask(importDevices, {
        csv: readText(file),
        dryRun: options.dryRun ?? false,
        ...(options.group ? { groupId: await groupId(options.group) } : {}),
      })
      print(formatOf(command), answer, answer.rows)
      note(
        `${options.dryRun ? 'would create' : 'created'} ${answer.create}, skipped ${answer.skip}, refused ${answer.refuse}`,
      )
      if (answer.refuse > 0) throw new Exit(exitCodes.failures)
    })
})
