/** One command to many devices: who would get it, sending it, following and stopping it. */

import { z } from 'zod'
import { commandStates } from '../command/command.ts'
import { deviceSelection } from '../device/device.ts'
import { deviceListPermission } from '../device/device-pages.ts'
import { bodyLimits, call } from '../kit/call.ts'
import type { Bulk } from '../kit/command.ts'
import { listCall } from '../kit/list.ts'
import { deviceZone, instant } from '../kit/time.ts'
import { GUARD_PERCENT, guardTrips } from './upgrade-guard.ts'

export const BATCH_MAX_DEVICES = 20_000
/** A device that was just there may be away for so long and still gets its command. */
const GRACE_S = 900

/** Of so many devices of a group in the batch, how many may be away at the same time. */
export const groupLimit = ({ shareOfGroup }: Bulk, count: number): number =>
  Math.max(1, Math.floor(count * shareOfGroup))

/**
 * Seconds after which what was not sent is not sent any more: every round may need the whole `deadlineS`.
 * `groupCounts`: devices of the batch by group.
 */
export function batchWaitS(bulk: Bulk, deadlineS: number, groupCounts: readonly number[]): number {
  const total = groupCounts.reduce((sum, count) => sum + count, 0)
  const rounds = groupCounts.map((count) => Math.ceil(count / groupLimit(bulk, count)))
  return GRACE_S + deadlineS * Math.max(1, Math.ceil(total / bulk.atOnce), ...rounds)
}

/** Why a batch stopped itself: too many failed or stayed away; or its sender is gone or may not send it any more. */
export const batchStops = ['failures', 'sender'] as const
export type BatchStop = (typeof batchStops)[number]

/** As an upgrade with the limit that is proposed: from the fifth failure on, of those that were sent to. */
export const batchTrips = (counted: { failed: number; tried: number }): boolean =>
  guardTrips({ maxFailures: null, maxFailurePercent: GUARD_PERCENT }, counted)

/** What waits has at least so long from the stop on: somebody has to see it first. */
export const STOPPED_WAIT_S = 3600

/** Why a device that matches gets nothing now. */
export const leftOutReasons = ['notFound', 'unsupported', 'offline', 'upgrading', 'busy'] as const
export type LeftOutReason = (typeof leftOutReasons)[number]

const leftOut = z.object({
  reason: z.enum(leftOutReasons),
  count: z.number(),
  sample: z.array(z.string()).describe('some serial numbers'),
})
export type LeftOut = z.infer<typeof leftOut>

const name = z.string().max(64)
const batchId = z.uuid()

export const previewCommandBatch = call({
  path: '/api/command/previewCommandBatch',
  bodyLimit: bodyLimits.selection,
  permission: 'login',
  summary: 'Who would get this command now, and who not and why. Nothing is written.',
  body: deviceSelection.extend({ name }),
  reply: z.object({
    matching: z.number(),
    eligible: z.number(),
    leftOut: z.array(leftOut),
    atOnce: z.number().describe('at most so many are away at the same time'),
    waitS: z.number().describe('what is not sent after so long expires'),
  }),
})

export const sendCommandBatch = call({
  path: '/api/command/sendCommandBatch',
  bodyLimit: bodyLimits.selection,
  permission: 'login',
  writes: true,
  summary:
    'Sends a declared command to all eligible devices of a selection, at a bounded pace; its function id is required. The same requestId again answers the batch that it made.',
  body: deviceSelection.extend({
    requestId: z.uuid(),
    name,
    args: z.record(z.string(), z.unknown()).default({}),
    atMost: z.coerce
      .number()
      .int()
      .min(0)
      .optional()
      .describe('refused when more match: what was confirmed is what is done'),
  }),
  reply: z.object({ batchId: z.string(), devices: z.number(), leftOut: z.array(leftOut) }),
})

const counts = z.object(
  Object.fromEntries([...commandStates, 'total' as const].map((key) => [key, z.number()])) as Record<
    (typeof commandStates)[number] | 'total',
    z.ZodNumber
  >,
)
export type BatchCounts = z.infer<typeof counts>

const batchRow = z.object({
  batchId: z.string(),
  name: z.string(),
  createdAt: instant,
  createdBy: z.string().nullable(),
  expiresAt: instant,
  cancelledAt: instant.nullable(),
  stopped: z
    .object({
      at: instant,
      reason: z.enum(batchStops),
      failed: z.number().nullable().describe('of the tried ones, failed or away too long'),
      tried: z.number().nullable(),
    })
    .nullable()
    .describe('it sends nothing more until somebody lets it go on'),
  matching: z.number(),
  leftOut: z.array(leftOut),
  counts,
})
export type BatchRow = z.infer<typeof batchRow>

/** Of those that got it or still may. */
export const endedOf = ({ done, failed, timedOut, expired, cancelled }: BatchCounts) =>
  done + failed + timedOut + expired + cancelled
/** Has it been stopped, and is there something left that could go on? */
export const standsStill = ({ stopped, counts: now }: Pick<BatchRow, 'stopped' | 'counts'>) =>
  stopped !== null && now.queued > 0
export const isOngoing = ({ counts: now }: Pick<BatchRow, 'counts'>) => endedOf(now) < now.total

export const getCommandBatchList = listCall({
  path: '/api/command/getCommandBatchList',
  permission: deviceListPermission,
  summary: 'Commands to many devices at once, newest first.',
  sorts: ['createdAt'],
  row: batchRow,
})

export const getCommandBatch = call({
  path: '/api/command/getCommandBatch',
  permission: deviceListPermission,
  summary: 'One batch: how many stand where, and what the failed ones said.',
  body: z.object({ batchId }),
  reply: batchRow.extend({
    errors: z.array(z.object({ error: z.string(), count: z.number() })).describe('the most frequent'),
  }),
})

export const getCommandBatchDevices = listCall({
  path: '/api/command/getCommandBatchDevices',
  permission: deviceListPermission,
  summary: 'The devices of a batch and where each stands.',
  sorts: ['deviceSn', 'state', 'sentAt', 'endedAt'],
  filters: { batchId, state: z.enum(commandStates).optional() },
  row: z.object({
    commandId: z.string(),
    deviceId: z.number(),
    deviceSn: z.string(),
    deviceName: z.string(),
    timeZone: deviceZone,
    state: z.enum(commandStates),
    sentAt: instant.nullable(),
    endedAt: instant.nullable(),
    error: z.string().nullable(),
  }),
})

export const cancelCommandBatch = call({
  path: '/api/command/cancelCommandBatch',
  permission: 'login',
  writes: true,
  summary: 'What was not sent yet is not sent; what was sent goes on.',
  body: z.object({ batchId }),
  reply: z.object({ cancelled: z.number(), underWay: z.number() }),
})

export const resumeCommandBatch = call({
  path: '/api/command/resumeCommandBatch',
  permission: 'login',
  writes: true,
  summary:
    'A batch that stopped itself goes on; failures count anew, and it belongs to whoever let it go on. What waits has the time back that it stood still.',
  body: z.object({ batchId }),
  reply: z.object({ waiting: z.number() }),
})
