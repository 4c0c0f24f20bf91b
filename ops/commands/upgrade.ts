import { getDeviceList } from '#schema/device'
import type { BodyOf } from '#schema/kit/call'
import { addLevelUp } from '#schema/upgrade'
import { ask } from '../client.ts'
import { Exit, exitCodes, usage } from '../exit.ts'
import { note, printOne } from '../print.ts'
import { groupId, moment, wholeNumber } from '../values.ts'
import { watchTask } from '../watch.ts'
import { formatOf, word } from '../word.ts'

type Options = {
  package: number
  devices?: string
  group?: string
  all?: true
  at?: string
  name?: string
  description?: string
  server?: string
  keepConfig: boolean
  waitOffline?: number
  wait?: true
  timeout: number
}
type Target = Pick<BodyOf<typeof addLevelUp>, 'dids' | 'filter'>

/** More than this are looked up in one list instead of one by one. */
const ONE_BY_ONE_MAX = 20

/** Device ids by exact serial number. @throws Exit 3 naming those that are not there */
async function deviceIds(sns: string[]): Promise<number[]> {
  const lists =
    sns.length <= ONE_BY_ONE_MAX
      ? await Promise.all(sns.map((search) => ask(getDeviceList, { search, limit: 1000 })))
      : [await ask(getDeviceList, { limit: 100_000 })]
  const bySn = new Map(lists.flatMap(({ list }) => list.map((row) => [row.deviceSn, row.deviceId] as const)))
  const missing = sns.filter((sn) => !bySn.has(sn))
  if (missing.length > 0) throw new Exit(exitCodes.refused, `no such device: ${missing.join(', ')}`)
  return sns.map((sn) => bySn.get(sn) ?? 0)
}

async function target({ devices, group, all }: Options): Promise<Target> {
  const ways = [devices, group, all].filter((way) => way !== undefined).length
  if (ways !== 1) return usage('name the devices by exactly one of --devices, --group and --all')
  if (group !== undefined) return { filter: { groupId: await groupId(group) } }
  if (devices === undefined) return { filter: {} }
  const sns = [...new Set(devices.split(',').map((sn) => sn.trim()))].filter(Boolean)
  return { dids: await deviceIds(sns) }
}

function printSkipped(skipped: { reason: string }[]): void {
  const reasons = new Map<string, number>()
  for (const { reason } of skipped) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  for (const [reason, count] of reasons) note(`skipped ${count}: ${reason}`)
}

export const upgrade = word((program) => {
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
