/**
 * The rules of the task engine, pure: what a report and a hello mean for an item, and the messages between device and
 * platform.
 */
import { z } from 'zod'
import { deviceText } from '../device/hello.ts'
import { job, LONG_DEADLINE_MS } from '../kit/job.ts'
import { downlink, uplink } from '../kit/message.ts'
import { stepRank, type TaskFailure, type TaskKind, type TaskStep, taskFailures } from '../kit/task-kind.ts'
import { deviceTime } from '../kit/time.ts'
import type { TaskOutcome } from './moves.ts'
import { type FileType, fileTypes } from './offered-file.ts'

export type ItemState = { step: TaskStep; percent: number | null; outcome: TaskOutcome | null }
export type ItemReport = {
  step: TaskStep | 'accepted' | 'failed' | 'unknown'
  percent?: number | undefined
  failure?: TaskFailure | undefined
}

/** Our step for a reported one. */
export function countedStep(reported: Exclude<ItemReport['step'], 'failed' | 'unknown'>): TaskStep {
  const counted = { accepted: 'sent', done: 'upgrading' } as const
  return reported === 'done' || reported === 'accepted' ? counted[reported] : reported
}

/**
 * The effect of a device's report; null: none (a repeat, out of order, or after the end). Steps only move forward.
 * `done` is never taken from a report: the device must come back with the target version (see `arrived`). A report of
 * `done` counts as `upgrading`, one of `accepted` as `sent`.
 */
export function applyReport(
  now: ItemState,
  report: ItemReport,
): (ItemState & { failure: TaskFailure | null }) | null {
  if (now.outcome !== null || report.step === 'unknown') return null
  if (report.step === 'failed')
    return { ...now, outcome: 'failed', failure: report.failure ?? 'unknownError' }
  const step = countedStep(report.step)
  const percent = step === 'downloading' ? (report.percent ?? 0) : null
  const ahead = stepRank(step) - stepRank(now.step)
  if (ahead < 0) return null
  if (ahead > 0) return { step, percent, outcome: null, failure: null }
  if (step !== 'downloading' || (percent ?? 0) <= (now.percent ?? -1)) return null
  return { step, percent, outcome: null, failure: null }
}

/** What a device must report in a hello for a task to be done. */
export type InstallTarget = { type: FileType | null; packageName: string | null; version: string | null }
/** What a device reported about itself. */
export type Installed = { firmware: string | null; packages: Readonly<Record<string, string>> | null }

/** The installed version of what the target replaces; null: none, or unknown. */
export const installedVersion = (target: Pick<InstallTarget, 'type' | 'packageName'>, said: Installed) =>
  target.type === 'upgrade' ? said.firmware : (said.packages?.[target.packageName ?? ''] ?? null)

export const arrived = (target: InstallTarget, said: Installed) =>
  target.version !== null && installedVersion(target, said) === target.version

/**
 * What a hello means for an item that was offered. `done`: the device is back with the target. `failed`: it began to
 * install, came back from another boot, and still has the old version. `ask`: it may have forgotten, or its reports
 * were lost. null: nothing yet (still installing, only the connection broke).
 */
export function helloMeans(
  step: TaskStep,
  said: { arrived: boolean; rebooted: boolean },
): 'done' | 'failed' | 'ask' | null {
  if (step === 'upgrading') return said.arrived ? 'done' : said.rebooted ? 'failed' : null
  return said.arrived && said.rebooted && step !== 'created' ? 'done' : 'ask'
}

/** Sending that takes longer was interrupted by a crash; an unanswered query is repeated. */
export const ASK_AFTER_MS = 10_000
/** A device that is online, and whose configuration could not be read for so long, is not waited for any more. */
export const UNREADABLE_AFTER_MS = 30 * 60_000
/** Nothing is overdue this soon after a broker started: the fleet must have had time to reconnect and report. */
export const RETURN_GRACE_MS = 60_000

/** The failure caused by a passed deadline. */
export function silenceFailure(
  kind: Pick<TaskKind, 'silence'>,
  step: TaskStep,
  online: boolean,
): TaskFailure {
  if (step === 'created') return 'deviceOffline'
  if (step === 'done') return 'unknownError'
  // A flashing device is expected to be offline: the operator must see that it never returned.
  return online || step === 'upgrading' ? (kind.silence[step] ?? 'unknownError') : 'deviceOffline'
}

const item = z.uuid()

export const offer = downlink({
  name: 'offer',
  summary:
    'Fetch this file and install it, or with type config restore it. Remember `item` durably before anything else: never install the same item twice.',
  payload: z.object({
    item,
    type: z.enum(fileTypes),
    name: deviceText(64),
    model: deviceText(64).optional().describe('absent with type config'),
    version: deviceText(64).optional().describe('absent with type config'),
    url: z
      .url()
      .max(2000)
      .describe('HTTP(S), supports Range; signed, for this device and item only, until expiresAt'),
    username: z.string().max(64).describe('HTTP basic authentication: the serial number'),
    password: z.string().max(128).describe('HTTP basic authentication: for this item only'),
    expiresAt: deviceTime,
    sizeBytes: z.int().positive(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    md5: z.string().regex(/^[0-9a-f]{32}$/),
    signature: z
      .string()
      .max(200)
      .optional()
      .describe(
        'of signed packages: base64 of `Ed`, 8 bytes that name the key, and 64 bytes Ed25519; see Verification',
      ),
    keepConfig: z
      .boolean()
      .describe('false: reset settings after installing, but keep serial, secret and platform address'),
  }),
  example: {
    item: '0198a7c4-6f0e-7cc2-9b1e-1d5a4c0f2b11',
    type: 'upgrade',
    name: 'R200 firmware',
    model: 'R200',
    version: '1.5.0',
    url: 'http://cloud.example:8080/files/0198a7c4-6f0e-7cc2-9b1e-1d5a4c0f2b11?expires=1795312800000&sig=6Jb0',
    username: 'SN-0001',
    password: 'k3Jw',
    expiresAt: 1795312800000,
    sizeBytes: 7340032,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    md5: '098f6bcd4621d373cade4e832627b4f6',
    keepConfig: true,
  },
})

export const query = downlink({
  name: 'query',
  summary:
    'Inquiry about a task item. Respond with `progress` immediately: its present step, or `unknown` if you never received the offer.',
  payload: z.object({ item }),
  example: { item: '0198a7c4-6f0e-7cc2-9b1e-1d5a4c0f2b11' },
})

export const cancel = downlink({
  name: 'cancel',
  summary: 'Stop working on this item unless installing has begun. Also forbids starting it later.',
  payload: z.object({ item }),
  example: { item: '0198a7c4-6f0e-7cc2-9b1e-1d5a4c0f2b11' },
})

export const progress = uplink({
  name: 'progress',
  class: 'report',
  summary:
    'The step a task item has reached. Send at each change, and each 5 % or 5 s while downloading. Repeats do no harm.',
  payload: z.object({
    item,
    at: deviceTime,
    step: z
      .enum(['accepted', 'connected', 'downloading', 'downloaded', 'upgrading', 'done', 'failed', 'unknown'])
      .describe('accepted: the offer is remembered, work has not begun; unknown: it was never received'),
    percent: z.number().min(0).max(100).optional().describe('only with downloading'),
    failure: z
      .enum(taskFailures)
      .optional()
      .describe('with failed; with another step: the reason for waiting while it keeps retrying'),
    detail: deviceText(500).optional().describe('for people'),
  }),
  example: {
    item: '0198a7c4-6f0e-7cc2-9b1e-1d5a4c0f2b11',
    at: 1795226460000,
    step: 'downloading',
    percent: 35,
  },
})

const nothing = z.object({})
/** Devices that match the filter of a task that follows it. */
export const joinDevices = job({ name: 'joinDevices', body: nothing, single: true, everyMs: 10_000 })
/** Moves due items of online devices into their sending window and sends the offers. */
export const dispatchTasks = job({ name: 'dispatchTasks', body: nothing, single: true, everyMs: 5_000 })
/** Deadlines, queries after a crash while sending, completion. */
export const sweepTasks = job({ name: 'sweepTasks', body: nothing, single: true, everyMs: 2_000 })
/** Turns committed reports into rows, a batch at a time, in arrival order. */
export const drainInbox = job({
  name: 'drainInbox',
  body: nothing,
  single: true,
  everyMs: 2_000,
  deadlineMs: LONG_DEADLINE_MS,
})

/** A start may be this long past, then it is now: requests take time, and clocks differ. */
export const START_PAST_MAX_MS = 300_000
