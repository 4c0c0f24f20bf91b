/** Whom a task reaches: the selection, who is left out and why, and how long its turns take. */
import { z } from 'zod'
import { deviceFilter } from '../device/device.ts'
import type { Bulk } from '../kit/command.ts'
import { rowIds } from '../kit/row-id.ts'
import { TASK_MAX_DEVICES } from './task-guard.ts'

const dids = rowIds(TASK_MAX_DEVICES)

/** Either the devices, or the filter that names them ("all matching"). */
export const target = z.object({ dids: dids.optional(), filter: deviceFilter.optional() })

/** What a request that makes a task may say besides: it is safe to repeat, and makes nothing that was not confirmed. */
export const onceFields = {
  requestId: z.uuid().optional().describe('the same again answers the task that it made'),
  atMost: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe('refused when more match: what was confirmed is what is done'),
}

/** Why a device that matches gets nothing. */
export const leftOutReasons = [
  'notFound',
  'revoked',
  'modelUnknown',
  'modelMismatch',
  'alreadyInstalled',
  'unsupported',
  'offline',
  'upgrading',
  'busy',
] as const
export type LeftOutReason = (typeof leftOutReasons)[number]

export const leftOut = z.object({
  reason: z.enum(leftOutReasons),
  count: z.number(),
  sample: z.array(z.string()).describe('some serial numbers'),
})
export type LeftOut = z.infer<typeof leftOut>

const SAMPLE = 5

/** By reason, in the order of the reasons; `unseen`: so many named ones do not exist, or not for the actor. */
export function groupLeftOut(
  devices: readonly { sn: string; reason: LeftOutReason }[],
  unseen = 0,
): LeftOut[] {
  return leftOutReasons
    .map((reason) => {
      const sns = devices.filter((device) => device.reason === reason).map(({ sn }) => sn)
      return {
        reason,
        count: sns.length + (reason === 'notFound' ? unseen : 0),
        sample: sns.slice(0, SAMPLE),
      }
    })
    .filter(({ count }) => count > 0)
}

/** A device that was just there may be away for so long and still gets its command. */
const GRACE_S = 900

/** Of so many devices of a group in the task, how many may be away at the same time. */
export const groupLimit = (share: number, count: number): number => Math.max(1, Math.floor(count * share))

/**
 * Seconds after which what was not sent is not sent any more: every round may need the whole `deadlineS`.
 * `groupCounts`: devices of the task by group.
 */
export function turnsTakeS(
  bulk: Pick<Bulk, 'atOnce' | 'shareOfGroup'>,
  deadlineS: number,
  groupCounts: readonly number[],
) {
  const total = groupCounts.reduce((sum, count) => sum + count, 0)
  const rounds = groupCounts.map((count) => Math.ceil(count / groupLimit(bulk.shareOfGroup, count)))
  return GRACE_S + deadlineS * Math.max(1, Math.ceil(total / bulk.atOnce), ...rounds)
}
