import { basename } from 'node:path'
import { getConfigFileList, uploadConfigFile } from '#schema/task/config-file'
import { addConfig, restoreBackup } from '#schema/task/config-task'
import { cliCommand, formatOf } from '../cli-command.ts'
import { ask } from '../client.ts'
import { type GuardOptions, guardOf, withGuard } from '../guard-options.ts'
import { note, print, printOne } from '../print.ts'
import { type TargetOptions, target } from '../target.ts'
import { upload } from '../upload.ts'
import { moment, wholeNumber } from '../values.ts'
import { watchTask } from '../watch.ts'

type Watched = { wait?: true; timeout: number }
type Create = TargetOptions &
  GuardOptions &
  Watched & {
    file: number
    at?: string
    name?: string
    description?: string
    waitOffline?: number
  }
const shown = ['spId', 'name', 'spFileSize', 'uploader', 'uploadedAt', 'remark']
const NAME_MAX = 64

async function finish(
  made: { taskId: number },
  { wait, timeout }: Watched,
  format: ReturnType<typeof formatOf>,
) {
  if (!wait) return printOne(format, made)
  note(`task ${made.taskId}`)
  await watchTask(format, made.taskId, timeout)
}

export const configFiles = cliCommand((program) => {
  const group = program.command('config-files').description('configuration files, batch configuration')
  group
    .command('list')
    .description('configuration files, newest first')
    .option('--search <text>', 'part of name or remark')
    .option('--limit <rows>', 'at most so many', wholeNumber, 100)
    .action(async (options, command) => {
      const found = await ask(getConfigFileList, options)
      print(formatOf(command), found, found.list, shown)
    })
  group
    .command('upload')
    .description('upload a .tar.gz of settings')
    .argument('<file>')
    .option('--name <name>', 'default: the name of the file')
    .option('--customer <id>', 'required of platform users', wholeNumber)
    .option('--remark <text>')
    .action(async (file: string, { name, customer, remark }, command) => {
      const fileName = basename(file)
      const given = name ?? fileName.replace(/\.tar\.gz$/i, '').slice(0, NAME_MAX)
      const query = { fileName, name: given, customerId: customer, remark }
      printOne(formatOf(command), await upload(uploadConfigFile, query, file))
    })
  const send = group
    .command('send')
    .description('send a configuration file to devices')
    .requiredOption('--file <id>', 'from `ops config-files list`', wholeNumber)
    .option('--devices <sns>', 'serial numbers, separated by commas')
    .option('--group <group>', 'id or name; groups below it included')
    .option('--all', 'every device of the customer')
    .option('--at <time>', 'start time, default now', moment)
    .option('--name <name>', 'name of the task')
    .option('--description <text>')
    .option('--wait-offline <minutes>', 'how long an offline device is waited for', wholeNumber)
  withGuard(send)
    .option('--wait', 'watch the task to its end')
    .option('--timeout <seconds>', 'with --wait: give up watching (the task goes on)', wholeNumber, 3600)
    .action(async (options: Create, command) => {
      const made = await ask(addConfig, {
        ...(await target(options)),
        spId: options.file,
        name: options.name ?? `File ${options.file} by ops, ${new Date().toISOString().slice(0, 16)}Z`,
        startAt: options.at,
        ...guardOf(options),
        ...(options.description === undefined ? {} : { description: options.description }),
        ...(options.waitOffline === undefined ? {} : { waitOfflineMinutes: options.waitOffline }),
      })
      for (const { reason, count } of made.leftOut) note(`left out ${count}: ${reason}`)
      await finish(made, options, formatOf(command))
    })
  group
    .command('restore')
    .description('give a device a kept backup again')
    .argument('<backup>', 'id of the backup')
    .option('--wait', 'watch the task to its end')
    .option('--timeout <seconds>', 'with --wait: give up watching (the task goes on)', wholeNumber, 3600)
    .action(async (backupId: string, options: Watched, command) => {
      await finish(await ask(restoreBackup, { backupId }), options, formatOf(command))
    })
})
