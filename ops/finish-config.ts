/** What `ops config` says of a change: what it would do, or what became of it. */

import { type applyMany, getChangeImpact } from '#schema/config/config-many'
import { type Impact, impactWith } from '#schema/config/impact-sum'
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
async function impactOf(body: BodyOf<typeof getChangeImpact>): Promise<Impact> {
  let sum = impactWith(null, await ask(getChangeImpact, body), Number.POSITIVE_INFINITY)
  while (sum.next !== null)
    sum = impactWith(sum, await ask(getChangeImpact, { ...body, after: sum.next }), Number.POSITIVE_INFINITY)
  return sum
}

export async function showImpact(format: Format, body: BodyOf<typeof getChangeImpact>): Promise<void> {
  const { next: _, faults, warnings, ...counts } = await impactOf(body)
  printOne(format, { ...counts, faults, warnings })
  for (const { sn, fault } of faults) note(`${sn}: ${fault}`)
  warn(warnings)
  if (counts.faulty > 0) throw new Exit(exitCodes.failures)
}

/** What a change would be warned of, said on stderr. Who may apply but not read is not kept from it by this. */
export async function warnOf(body: BodyOf<typeof getChangeImpact>): Promise<Impact['warnings']> {
  try {
    const { warnings, onUplink } = await impactOf(body)
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
  warnings: Impact['warnings'],
  { wait, timeout }: Watched,
): Promise<void> {
  for (const { reason, count } of made.leftOut) note(`left out ${count}: ${reason}`)
  note(`task ${made.taskId}: ${made.devices} devices`)
  if (wait) await watchTask(format, made.taskId, timeout)
  else printOne(format, { taskId: made.taskId, devices: made.devices, warnings })
}
