/** Watches a task to its end. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReplyOf } from '#schema/kit/call'
import { taskSteps } from '#schema/kit/task-kind'
import { getTask, getTaskItems } from '#schema/task/task-calls'
import { ask, askWithRetry } from './client.ts'
import { Exit, exitCodes } from './exit.ts'
import { sayWhenInterrupted } from './interrupted.ts'
import { type Format, note, print } from './print.ts'
import { openBar } from './progress.ts'

type Detail = ReplyOf<typeof getTask>

const EVERY_MS = 1000
/** So many failed devices are named. */
const NAMED = 20

const summary = ({ counts }: Detail) =>
  [...taskSteps.filter((step) => step !== 'done'), 'done' as const, 'failed' as const, 'cancelled' as const]
    .filter((name) => counts[name] > 0)
    .map((name) => `${name} ${counts[name]}`)
    .join(', ')

const devices = (count: number) => (count === 1 ? '1 device' : `${count} devices`)

/** What devices are that a task of the kind was successful with. */
const participles: ReadonlyMap<string, string> = new Map([
  ['upgrade', 'upgraded'],
  ['reboot', 'rebooted'],
  ['config', 'changed'],
  ['factoryReset', 'reset'],
])

const ended = ({ counts }: Detail) => counts.done + counts.failed + counts.cancelled

const whyPaused = ({ at, reason, by, failed, tried }: NonNullable<Detail['paused']>) =>
  reason === 'failures'
    ? `by itself at ${at}: ${failed} of ${tried} devices tried had failed`
    : reason === 'wave'
      ? `by itself at ${at}: ${tried ? `a wave fell short, ${failed} of ${tried} devices had failed` : 'no device of a wave was reached'}`
      : reason === 'approval'
        ? `until a second user approves it (created at ${at})`
        : reason === 'sender'
          ? `by itself at ${at}: the user responsible for it may no longer create it`
          : `by ${by ?? 'hand'} at ${at}`

export function printTask(format: Format, task: Detail): void {
  print(format, task, [
    { what: 'task', value: `${task.taskId} ${task.name}` },
    { what: 'status', value: task.paused ? `${task.status}, paused` : task.status },
    ...(task.paused ? [{ what: 'paused', value: whyPaused(task.paused) }] : []),
    { what: 'devices', value: summary(task) || '0' },
    ...task.failures.map(({ failure, count }) => ({ what: `failed: ${failure}`, value: count })),
    ...(task.command === null
      ? []
      : task.leftOut.map(({ reason, count }) => ({ what: `left out: ${reason}`, value: count }))),
  ])
}

/** On stderr, each with its reason in detail: the table only counts the reasons. */
async function nameFailed({ taskId, counts }: Detail): Promise<void> {
  if (counts.failed === 0) return
  try {
    const { list } = await ask(getTaskItems, { taskId, outcome: 'failed', limit: NAMED })
    for (const { deviceSn, failure, failureDetail } of list)
      note(`${deviceSn}: ${[failure, failureDetail].filter((part) => part !== null).join(': ')}`)
    if (counts.failed > list.length) note(`and ${counts.failed - list.length} more`)
  } catch (error) {
    // How the task has ended is known, and decides about the exit code.
    note(`the failed devices cannot be named: ${(error as Error).message}`)
  }
}

/**
 * A wave that fell short is passed by resuming, so its failed devices are to be tried again before, if at all; so is one in
 * which too many devices failed.
 */
const howToGoOn = ({ taskId, paused, wave, waves, retries }: Detail) =>
  paused?.reason === 'wave' ||
  (paused?.reason === 'failures' && retries.length === 0 && waves.some(({ nth }) => nth > wave))
    ? `\`ops tasks retry ${taskId}\` and then \`ops tasks resume ${taskId}\` tries the wave again, resuming alone begins the next one without the failed devices, \`ops tasks cancel ${taskId}\` ends it`
    : `\`ops tasks resume ${taskId}\` goes on, \`ops tasks cancel ${taskId}\` ends it`

/** The task paused itself. A task that a user paused is still watched, because they will resume it. */
const stoppedItself = (task: Detail) =>
  task.status === 'ongoing' && task.paused !== null && !['person', 'approval'].includes(task.paused.reason)

/**
 * @throws Exit 1 if a device failed or was cancelled, or too many failed and the task paused itself; 4 if the task is
 * not completed in time
 */
export const watchTask = (format: Format, taskId: number, timeoutS: number): Promise<void> =>
  sayWhenInterrupted(`task ${taskId}`, `ops tasks watch ${taskId}`, () => watch(format, taskId, timeoutS))

async function watch(format: Format, taskId: number, timeoutS: number): Promise<void> {
  const until = Date.now() + timeoutS * 1000
  const bar = openBar(`task ${taskId}`)
  let task = await ask(getTask, { taskId })
  let said = ''
  // Also if the timeout has passed with the first response: otherwise the reason why the task waits would not be shown.
  const tellPause = () => {
    if (task.status !== 'ongoing' || stoppedItself(task)) return
    const now = task.paused ? `paused ${whyPaused(task.paused)}` : said === '' ? '' : 'resumed'
    if (now !== said) note(`task ${taskId} is ${now}`)
    said = now
  }
  tellPause()
  while (task.status === 'ongoing' && !stoppedItself(task) && Date.now() < until) {
    bar.show(ended(task) / Math.max(1, task.counts.total), summary(task))
    await sleep(Math.min(EVERY_MS, Math.max(1, until - Date.now())))
    task = await askWithRetry(getTask, { taskId }, until)
    tellPause()
  }
  bar.show(ended(task) / Math.max(1, task.counts.total), summary(task))
  bar.end()
  printTask(format, task)
  if (task.status !== 'ongoing' || stoppedItself(task)) await nameFailed(task)
  if (task.paused && stoppedItself(task))
    throw new Exit(exitCodes.failures, `task ${taskId} stopped ${whyPaused(task.paused)}; ${howToGoOn(task)}`)
  if (task.status === 'ongoing') throw new Exit(exitCodes.timedOut, `not completed within ${timeoutS} s`)
  // A command runs now or never: devices that were left out count as not done. Those of an upgrade were listed when
  // it was created.
  const asked = task.command === null ? task.counts.total : (task.matching ?? task.counts.total)
  const bad = asked - task.counts.done
  if (bad > 0)
    throw new Exit(
      exitCodes.failures,
      `${bad} of ${devices(asked)} ${bad === 1 ? 'was' : 'were'} not ${participles.get(task.kind) ?? 'done'}`,
    )
  note(task.counts.total === 1 ? 'the device is done' : `all ${task.counts.total} devices are done`)
}
