/** Watches a task to its end. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReplyOf } from '#schema/kit/call'
import { taskSteps } from '#schema/task'
import { getLevelUpDetail } from '#schema/upgrade'
import { ask, askUntil } from './client.ts'
import { Exit, exitCodes } from './exit.ts'
import { type Format, note, print } from './print.ts'
import { openBar } from './progress.ts'

type Detail = ReplyOf<typeof getLevelUpDetail>

const EVERY_MS = 1000

const summary = ({ counts }: Detail) =>
  [...taskSteps.filter((step) => step !== 'done'), 'done' as const, 'failed' as const, 'cancelled' as const]
    .filter((name) => counts[name] > 0)
    .map((name) => `${name} ${counts[name]}`)
    .join(', ')

const ended = ({ counts }: Detail) => counts.done + counts.failed + counts.cancelled

export function printTask(format: Format, task: Detail): void {
  print(format, task, [
    { what: 'task', value: `${task.taskId} ${task.name}` },
    { what: 'status', value: task.status },
    { what: 'devices', value: summary(task) || '0' },
    ...task.failures.map(({ failure, count }) => ({ what: `failed: ${failure}`, value: count })),
  ])
}

/** @throws Exit 1 when a device failed or was cancelled, 4 when the task is not completed in time */
export async function watchTask(format: Format, taskId: number, timeoutS: number): Promise<void> {
  const until = Date.now() + timeoutS * 1000
  const bar = openBar(`task ${taskId}`)
  let task = await ask(getLevelUpDetail, { taskId })
  while (task.status === 'ongoing' && Date.now() < until) {
    bar.show(ended(task) / Math.max(1, task.counts.total), summary(task))
    await sleep(Math.min(EVERY_MS, Math.max(1, until - Date.now())))
    task = await askUntil(getLevelUpDetail, { taskId }, until)
  }
  bar.show(ended(task) / Math.max(1, task.counts.total), summary(task))
  bar.end()
  printTask(format, task)
  if (task.status === 'ongoing') throw new Exit(exitCodes.timedOut, `not completed within ${timeoutS} s`)
  const bad = task.counts.failed + task.counts.cancelled
  if (bad > 0) throw new Exit(exitCodes.failures, `${bad} of ${task.counts.total} devices were not upgraded`)
  note(`all ${task.counts.total} devices are done`)
}
