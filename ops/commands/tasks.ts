import { taskFailures } from '#schema/kit/task-kind'
import { taskStatuses } from '#schema/task/moves'
import { approveTask, refuseTask } from '#schema/task/task-approval'
import { cancelTask, getTaskList, pauseTask, resumeTask, retryTask, skipWave } from '#schema/task/task-calls'
import { rollBackTask } from '#schema/task/task-rollback'
import { cliCommand, formatOf } from '../cli-command.ts'
import { ask } from '../client.ts'
import { Exit, exitCodes } from '../exit.ts'
import { type Format, note, print, printOne } from '../print.ts'
import { oneOf, wholeNumber } from '../values.ts'
import { watchTask } from '../watch.ts'

/** One after the other; the first that failed is thrown when all have been watched. */
async function watchAll(
  format: Format,
  made: readonly { taskId: number }[],
  timeoutS: number,
): Promise<void> {
  let failed: unknown
  for (const { taskId } of made)
    await watchTask(format, taskId, timeoutS).catch((error) => {
      failed ??= error
    })
  if (failed) throw failed
}

export const tasks = cliCommand((program) => {
  const group = program
    .command('tasks')
    .description('list, watch, approve, pause, resume, retry, roll back and cancel tasks')
  group
    .command('list')
    .description('tasks, newest first')
    .option('--status <status>', taskStatuses.join(', '), oneOf(taskStatuses))
    .option('--kind <kind>', 'upgrade, patch, ordinary, configFile, config, reboot, factoryReset, command')
    .option('--search <text>')
    .option('--limit <rows>', 'at most so many', wholeNumber, 50)
    .action(async (options, command) => {
      const found = await ask(getTaskList, { ...options, sort: 'createdAt', order: 'desc' })
      const rows = found.list.map(({ counts, paused, ...task }) => ({
        ...task,
        ...counts,
        paused: paused?.reason ?? '',
      }))
      print(formatOf(command), found, rows, [
        'taskId',
        'kind',
        'name',
        'status',
        'paused',
        'version',
        'command',
        'total',
        'done',
        'failed',
        'cancelled',
        'createdAt',
      ])
    })
  group
    .command('watch')
    .description('watch a task to its end')
    .argument('<id>', '', wholeNumber)
    .option('--timeout <seconds>', 'give up watching (the task goes on)', wholeNumber, 3600)
    .action((id: number, options: { timeout: number }, command) =>
      watchTask(formatOf(command), id, options.timeout),
    )
  group
    .command('retry')
    .description('try the failed devices again')
    .argument('<id>', '', wholeNumber)
    .option('--reason <failure>', `only those: ${taskFailures.join(', ')}`, oneOf(taskFailures))
    .action(async (taskId: number, options: { reason?: (typeof taskFailures)[number] }, command) => {
      printOne(formatOf(command), await ask(retryTask, { taskId, failure: options.reason }))
    })
  group
    .command('pause')
    .description('send nothing more and call back who has not begun')
    .argument('<id>', '', wholeNumber)
    .action(async (taskId: number, _options, command) => {
      await ask(pauseTask, { taskId })
      printOne(formatOf(command), { taskId, paused: true })
    })
  group
    .command('resume')
    .description('go on with a paused task; failures so far no longer count towards its limit')
    .argument('<id>', '', wholeNumber)
    .option('--wait', 'watch the task to its end')
    .option('--timeout <seconds>', 'with --wait: give up watching (the task goes on)', wholeNumber, 3600)
    .action(async (taskId: number, options: { wait?: true; timeout: number }, command) => {
      const answer = await ask(resumeTask, { taskId })
      if (options.wait) await watchTask(formatOf(command), taskId, options.timeout)
      else printOne(formatOf(command), { taskId, ...answer })
    })
  group
    .command('approve')
    .description('let a task start that waits for a second person; its creator cannot')
    .argument('<id>', '', wholeNumber)
    .action(async (taskId: number, _options, command) => {
      await ask(approveTask, { taskId })
      printOne(formatOf(command), { taskId, approved: true })
    })
  group
    .command('refuse')
    .description('end a task that waits for a second person; nothing was sent')
    .argument('<id>', '', wholeNumber)
    .option('--note <text>', 'why', '')
    .action(async (taskId: number, { note: why }: { note: string }, command) => {
      await ask(refuseTask, { taskId, note: why })
      printOne(formatOf(command), { taskId, approved: false })
    })
  group
    .command('skip-wave')
    .description('begin the next wave now, without waiting for the success of the present one')
    .argument('<id>', '', wholeNumber)
    .action(async (taskId: number, _options, command) => {
      const { wave, paused } = await ask(skipWave, { taskId })
      printOne(formatOf(command), { taskId, wave: wave + 1, paused })
      if (paused)
        note(`task ${taskId} is paused: its devices get nothing until \`ops tasks resume ${taskId}\``)
    })
  group
    .command('rollback')
    .description('give the devices that took the package of a task their former version; pauses the task')
    .argument('<id>', '', wholeNumber)
    .option('--name <name>', 'of the new tasks')
    .option('--wait', 'watch the new tasks to their ends')
    .option('--timeout <seconds>', 'with --wait: give up watching (the tasks go on)', wholeNumber, 3600)
    .action(async (taskId: number, options: { name?: string; wait?: true; timeout: number }, command) => {
      const format = formatOf(command)
      const answer = await ask(rollBackTask, { taskId, name: options.name ?? `Roll back task ${taskId}` })
      if (answer.paused)
        note(`task ${taskId} is paused: the rest of its devices get nothing until it is resumed`)
      for (const { version, devices } of answer.without)
        note(`${devices} devices had ${version}, whose package is no longer stored: they stay as they are`)
      for (const one of answer.tasks)
        note(`task ${one.taskId}: ${one.devices} devices go back to ${one.version}`)
      if (options.wait) await watchAll(format, answer.tasks, options.timeout)
      else print(format, answer, answer.tasks, ['taskId', 'version', 'devices'])
      if (answer.without.length > 0) throw new Exit(exitCodes.failures, 'not all devices can go back')
    })
  group
    .command('cancel')
    .description('cancel a task; devices beyond recall go on')
    .argument('<id>', '', wholeNumber)
    .action(async (taskId: number, _options, command) => {
      const answer = await ask(cancelTask, { taskId })
      printOne(formatOf(command), answer)
      if (answer.locked > 0) note(`${answer.locked} are beyond recall and go on`)
    })
})
