/** Software upgrade tasks: pre-flight, creation, watching, cancel, retry, delete. */

import { z } from 'zod'
import { deviceFilter } from '../device/device.ts'
import { bodyLimits, call } from '../kit/call.ts'
import { flag } from '../kit/flag.ts'
import { listCall, storable } from '../kit/list.ts'
import { rowId, rowIds } from '../kit/row-id.ts'
import { deviceZone, instant } from '../kit/time.ts'
import { type PackageType, packageTypes } from './package.ts'
import { arrived, taskFailures, taskOutcomes, taskStatuses, taskSteps } from './task.ts'
import { guardFields, pauseReasons, TASK_MAX_DEVICES } from './upgrade-guard.ts'
import { noEstimateReasons } from './upgrade-pace.ts'
import {
  upgradeControlPermission,
  upgradeCreatePermission,
  upgradeDeletePermission,
  upgradeListPermission,
} from './upgrade-pages.ts'

const id = rowId
const dids = rowIds(TASK_MAX_DEVICES)

/** Either the devices, or the filter that names them ("all matching"). */
const target = z.object({ dids: dids.optional(), filter: deviceFilter.optional() })

/** Why a device cannot take a package, or what will delay it. */
export const ineligibleReasons = [
  'modelMismatch',
  'modelUnknown',
  'alreadyInstalled',
  'revoked',
  'notFound',
] as const
export type IneligibleReason = (typeof ineligibleReasons)[number]
export const delayReasons = ['offline', 'busy'] as const
export type DelayReason = (typeof delayReasons)[number]

/** Why a device that the actor sees cannot take a package; null: it can. */
export function ineligibleFor(
  target: { type: PackageType; name: string; version: string; model: string },
  device: {
    model: string | null
    firmware: string | null
    packages: Readonly<Record<string, string>> | null
    revoked: boolean
  },
): IneligibleReason | null {
  if (device.revoked) return 'revoked'
  if (device.model === null) return 'modelUnknown'
  if (device.model !== target.model) return 'modelMismatch'
  return arrived({ ...target, packageName: target.name }, device) ? 'alreadyInstalled' : null
}

export const preflightUpgrade = call({
  path: '/api/levelUp/preflight',
  bodyLimit: bodyLimits.selection,
  permission: upgradeCreatePermission,
  summary: 'Who could take this package, and who not and why. Nothing is written.',
  body: target.extend({ spId: id }),
  reply: z.object({
    eligible: z.number(),
    delayed: z.array(
      z.object({ reason: z.enum(delayReasons), count: z.number(), sample: z.array(z.string()) }),
    ),
    waitOfflineMinutes: z.number().describe('what a task waits for offline devices unless it says otherwise'),
    ineligible: z.array(
      z.object({ reason: z.enum(ineligibleReasons), count: z.number(), sample: z.array(z.string()) }),
    ),
  }),
})

export const addLevelUp = call({
  path: '/api/levelUp/addLevelUp',
  bodyLimit: bodyLimits.selection,
  permission: upgradeCreatePermission,
  writes: true,
  summary:
    'Creates an upgrade task for the eligible devices; the ineligible are answered with their reasons.',
  blanks: ['packageType'],
  body: target.extend({
    name: storable(z.string().trim().min(1).max(64)),
    description: storable(z.string().trim().max(500)).default(''),
    spId: id,
    path: z.string().max(500).optional().describe('kept for compatibility; the package is found by spId'),
    spFileSize: z.coerce.number().optional().describe('likewise'),
    keepConfig: flag.default(true),
    server: z
      .string()
      .max(500)
      .optional()
      .describe('base URL of a configured file server; default: the platform'),
    packageType: z.enum(packageTypes).optional(),
    startAt: z.iso.datetime({ offset: true }).optional().describe('default: now'),
    waitOfflineMinutes: z.coerce
      .number()
      .int()
      .min(0)
      .max(10_080)
      .optional()
      .describe(
        'how long an offline device is waited for, from the start or from when it left; default: the parameter upgradeWaitMinutes',
      ),
    ...guardFields,
  }),
  reply: z.object({
    taskId: z.number(),
    devices: z.number(),
    skipped: z.array(z.object({ deviceId: z.number(), reason: z.enum(ineligibleReasons) })),
  }),
})

/** How many items stand where; `failed` and `cancelled` beside the seven steps. */
export const taskCounts = z.object({
  ...Object.fromEntries(taskSteps.map((s) => [s, z.number()])),
  failed: z.number(),
  cancelled: z.number(),
  total: z.number(),
} as Record<(typeof taskSteps)[number] | 'failed' | 'cancelled' | 'total', z.ZodNumber>)
export type TaskCounts = z.infer<typeof taskCounts>

const pausedFacts = z.object({
  at: instant,
  reason: z.enum(pauseReasons).describe('failures: too many devices failed; person: by hand'),
  by: z.string().nullable().describe('who, of those paused by hand'),
  failed: z.number().nullable().describe('with failures: so many had failed when it stopped'),
  tried: z.number().nullable().describe('of so many that had been sent the command'),
})

export const taskRow = z.object({
  taskId: z.number(),
  name: z.string(),
  description: z.string(),
  status: z.enum(taskStatuses),
  type: z.enum(packageTypes),
  packageName: z.string(),
  version: z.string(),
  model: z.string(),
  startAt: instant,
  createdAt: instant,
  completedAt: instant.nullable(),
  createdBy: z.string().nullable(),
  customerName: z.string().nullable(),
  paused: pausedFacts.nullable().describe('an ongoing task that stands still; null: it goes on'),
  counts: taskCounts,
})

export const getLevelUpList = listCall({
  path: '/api/levelUp/getLevelUpList',
  permission: upgradeListPermission,
  summary: 'Upgrade tasks with their step counts.',
  sorts: ['createdAt', 'name', 'startAt'],
  filters: { status: z.enum(taskStatuses).optional() },
  row: taskRow,
})

export const getLevelUpDetail = call({
  path: '/api/levelUp/getLevelUpDetail',
  permission: upgradeListPermission,
  summary: 'One task: counts, failures grouped by reason, estimated end.',
  body: z.object({ taskId: id }),
  reply: taskRow.extend({
    keepConfig: z.boolean(),
    server: z.string().nullable(),
    sizeBytes: z.number(),
    sha256: z.string(),
    waitOfflineMinutes: z.number(),
    maxFailures: z.number().nullable(),
    maxFailurePercent: z.number().nullable(),
    maxInFlight: z.number(),
    failures: z.array(z.object({ failure: z.enum(taskFailures), count: z.number() })),
    estimatedEndAt: instant
      .nullable()
      .describe('when the devices that are online will have ended, at the pace of late'),
    noEstimate: z.enum(noEstimateReasons).nullable().describe('why there is no estimate'),
    waitingOffline: z.number().describe('devices not begun that are offline: no estimate counts them'),
  }),
})

export const getLevelUpDevices = listCall({
  path: '/api/levelUp/getLevelUpDevices',
  permission: upgradeListPermission,
  summary: 'The devices of a task and where each stands.',
  sorts: ['deviceSn', 'step', 'stepAt'],
  filters: {
    taskId: id,
    step: z.enum(taskSteps).optional(),
    outcome: z.enum([...taskOutcomes, 'running']).optional(),
    failure: z.enum(taskFailures).optional(),
  },
  row: z.object({
    itemId: z.string(),
    deviceId: z.number(),
    deviceSn: z.string(),
    deviceName: z.string(),
    timeZone: deviceZone,
    online: z.boolean(),
    attempt: z.number(),
    step: z.enum(taskSteps),
    percent: z.number().nullable(),
    outcome: z.enum(taskOutcomes).nullable(),
    failure: z.enum(taskFailures).nullable(),
    failureDetail: z.string().nullable(),
    stepAt: instant,
    deadlineAt: instant.nullable(),
    fromVersion: z.string().nullable(),
    version: z.string(),
    canCancel: z.boolean(),
  }),
})

export const cancelLevelUp = call({
  path: '/api/levelUp/cancelLevelUp',
  bodyLimit: bodyLimits.selection,
  permission: upgradeControlPermission,
  writes: true,
  summary: 'Cancels a task, or some of its devices; those already installing go on to their end.',
  body: z.object({ taskId: id, itemIds: z.array(z.uuid()).max(TASK_MAX_DEVICES).optional() }),
  reply: z.object({ cancelled: z.number(), locked: z.number() }),
})

export const pauseLevelUp = call({
  path: '/api/levelUp/pauseLevelUp',
  permission: upgradeControlPermission,
  writes: true,
  summary:
    'Pauses a task: nothing more is sent, who has not begun to install is called back and waits, who installs goes on.',
  body: z.object({ taskId: id }),
})

export const resumeLevelUp = call({
  path: '/api/levelUp/resumeLevelUp',
  permission: upgradeControlPermission,
  writes: true,
  summary: 'Goes on with a paused task. Failures so far no longer count towards its limits.',
  body: z.object({ taskId: id }),
  reply: z.object({ waiting: z.number().describe('devices that have not begun') }),
})

export const retryLevelUp = call({
  path: '/api/levelUp/retryLevelUp',
  bodyLimit: bodyLimits.selection,
  permission: upgradeControlPermission,
  writes: true,
  summary:
    'Tries the failed devices again, all or those of one reason. Devices that meanwhile have the version are skipped; of a paused task they wait until it is resumed.',
  body: z.object({
    taskId: id,
    failure: z.enum(taskFailures).optional(),
    itemIds: z.array(z.uuid()).max(TASK_MAX_DEVICES).optional(),
  }),
  reply: z.object({ retried: z.number(), skipped: z.number() }),
})

export const deleteLevelUp = call({
  path: '/api/levelUp/deleteLevelUp',
  permission: upgradeDeletePermission,
  writes: true,
  summary: 'Deletes a completed task.',
  body: z.object({ taskId: id }),
})

export const getFileServers = call({
  path: '/api/levelUp/getFileServers',
  permission: upgradeListPermission,
  summary: 'The file servers that a task may use.',
  reply: z.object({ list: z.array(z.object({ url: z.string(), isDefault: z.boolean() })) }),
})
