import { taskFailures } from '#schema/kit/task-kind'
import { taskStatuses } from '#schema/task/moves'
import { cancelTask, getTaskList, pauseTask, resumeTask, retryTask } from '#schema/task/task-calls'
import { cliCommand, formatOf } from '../cli-command.ts'
import { ask } from '../client.ts'
import { note, print, printOne } from '../print.ts'
import { oneOf, wholeNumber } from '../values.ts'
import { watchTask } from '../watch.ts'

export const tasks = cliCommand((program) => {
  const group = program.command('tasks').description('list, watch, pause, resume, retry and cancel tasks')
  group
    .command('list')
    .description('tasks, newest first')
    .option('--status <status>', taskStatuses.join(', '), oneOf(taskStatuses))
    .option('--kind <kind>', 'upgrade, patch, ordinary, reboot, command')
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
    .command('cancel')
    .description('cancel a task; devices beyond recall go on')
    .argument('<id>', '', wholeNumber)
    .action(async (taskId: number, _options, command) => {
      const answer = await ask(cancelTask, { taskId })
      printOne(formatOf(command), answer)
      if (answer.locked > 0) note(`${answer.locked} are beyond recall and go on`)
    })
})
