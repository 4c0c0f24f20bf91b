/** The devices of a task: the selection, which devices are left out and why, and how long its rounds take. */
import { z } from 'zod'
import { atMost, deviceFilter } from '../device/device.ts'
import type { Bulk } from '../kit/command.ts'
import { labelled } from '../kit/field.ts'
import { rowIds } from '../kit/row-id.ts'
import { TASK_MAX_DEVICES } from './task-guard.ts'

const dids = rowIds(TASK_MAX_DEVICES)

/** Either the devices, or a filter ("all matching"). */
export const target = z.object(
  labelled(
    { dids: dids.optional(), filter: deviceFilter.optional() },
    { dids: 'upgrade:wizard.devices', filter: 'upgrade:wizard.devices' },
  ),
)

/** Fields that make a creating request safe to repeat, and limit it to what was confirmed. */
export const onceFields = {
  requestId: z
    .uuid()
    .optional()
    .describe('idempotency key: a repeated request returns the task that the first one created'),
  atMost,
}

/** Why a matching device is left out. */
export const leftOutReasons = [
  'notFound',
  'revoked',
  'modelUnknown',
  'modelMismatch',
  'alreadyInstalled',
  'otherCustomer',
  'versionUnsupported',
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

/**
 * By reason, in the order of the reasons; `unseen`: listed devices that do not exist or are not visible to the actor.
 */
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

/** A device that is briefly offline still gets its command within this time. */
const GRACE_S = 900

/** How many of a group's devices in the task may be offline at the same time. */
export const groupLimit = (share: number, count: number): number => Math.max(1, Math.floor(count * share))

/**
 * Seconds after which unsent items expire: every round may need the whole `deadlineS`. `groupCounts`: devices of the
 * task by group.
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
