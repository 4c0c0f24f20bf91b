/** What `ops config` says of a change: what it would do, or what became of it. */

import { type applyMany, weighChange } from '#schema/config/config-many'
import { type Weight, weighedTogether } from '#schema/config/weight-sum'
import type { BodyOf, ReplyOf } from '#schema/kit/call'
import { ask } from './client.ts'
import { Exit, exitCodes } from './exit.ts'
import { type Format, note, printOne } from './print.ts'
import { watchTask } from './watch.ts'

export type Watched = { wait?: true; timeout: number }

type Warning = { page: string; path: string; message: string; devices?: number }

/** One line each on stderr, as the console shows them before sending. */
export function warn(warnings: readonly Warning[]): void {
  for (const { page, path, message, devices } of warnings)
    note(`warning: ${page}.${path}: ${message}${devices === undefined ? '' : ` (devices: ${devices})`}`)
}

/** Counts all devices, in steps of a second at most. */
async function weightOf(body: BodyOf<typeof weighChange>): Promise<Weight> {
  let sum = weighedTogether(null, await ask(weighChange, body), Number.POSITIVE_INFINITY)
  while (sum.next !== null)
    sum = weighedTogether(sum, await ask(weighChange, { ...body, after: sum.next }), Number.POSITIVE_INFINITY)
  return sum
}

export async function weigh(format: Format, body: BodyOf<typeof weighChange>): Promise<void> {
  const { next: _, faults, warnings, ...counts } = await weightOf(body)
  printOne(format, { ...counts, faults, warnings })
  for (const { sn, fault } of faults) note(`${sn}: ${fault}`)
  warn(warnings)
}

/** What a change would be warned of, said on stderr. Who may apply but not read is not kept from it by this. */
export async function warnOf(body: BodyOf<typeof weighChange>): Promise<Weight['warnings']> {
  try {
    const { warnings, onUplink } = await weightOf(body)
    if (onUplink > 0) note(`warning: devices whose uplink in use it changes: ${onUplink}`)
    warn(warnings)
    return warnings
  } catch (error) {
    if (!(error instanceof Exit) || error.code !== exitCodes.refused) throw error
    note(`not looked at for warnings: ${error.message}`)
    return []
  }
}

export async function finishConfig(
  format: Format,
  made: ReplyOf<typeof applyMany>,
  warnings: Weight['warnings'],
  { wait, timeout }: Watched,
): Promise<void> {
  for (const { reason, count } of made.leftOut) note(`left out ${count}: ${reason}`)
  note(`task ${made.taskId}: ${made.devices} devices`)
  if (wait) await watchTask(format, made.taskId, timeout)
  else printOne(format, { taskId: made.taskId, devices: made.devices, warnings })
}
