/** What `ops config` says of a change: what it would do, or what became of it. */

import { type applyMany, weighChange } from '#schema/config/config-many'
import type { BodyOf, ReplyOf } from '#schema/kit/call'
import { ask } from './client.ts'
import { type Format, note, printOne } from './print.ts'
import { watchTask } from './watch.ts'

export type Watched = { wait?: true; timeout: number }

/** Counts all devices, in steps of a second at most. */
export async function weigh(format: Format, body: BodyOf<typeof weighChange>): Promise<void> {
  let step = await ask(weighChange, body)
  const sum = { ...step, faults: [...step.faults] }
  while (step.next !== null) {
    step = await ask(weighChange, { ...body, after: step.next })
    for (const name of ['done', 'changed', 'onUplink', 'same', 'unread', 'faulty'] as const)
      sum[name] += step[name]
    sum.faults.push(...step.faults)
  }
  const { next: _, faults, ...counts } = sum
  printOne(format, { ...counts, faults })
  for (const { sn, fault } of faults) note(`${sn}: ${fault}`)
}

export async function finishConfig(
  format: Format,
  made: ReplyOf<typeof applyMany>,
  { wait, timeout }: Watched,
): Promise<void> {
  for (const { reason, count } of made.leftOut) note(`left out ${count}: ${reason}`)
  note(`task ${made.taskId}: ${made.devices} devices`)
  if (wait) await watchTask(format, made.taskId, timeout)
  else printOne(format, { taskId: made.taskId, devices: made.devices })
}
