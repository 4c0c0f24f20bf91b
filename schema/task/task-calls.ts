/** Watching and controlling tasks of every kind. */

import { z } from 'zod'
import { deviceWork } from '../device/device-state.ts'
import { deletes, reads, uses } from '../kit/about.ts'
import { bodyLimits, call } from '../kit/call.ts'
import { listCall } from '../kit/list.ts'
import { rowId } from '../kit/row-id.ts'
import { taskFailures, taskSteps } from '../kit/task-kind.ts'
import { deviceZone, instant } from '../kit/time.ts'
import { taskOutcomes, taskStatuses } from './moves.ts'
import { fileTypes } from './offered-file.ts'
import { approvalStates } from './task-approval.ts'
import { pauseReasons, TASK_MAX_DEVICES } from './task-guard.ts'
import { joinFilter } from './task-join.ts'
import { taskObject } from './task-object.ts'
import { noEstimateReasons } from './task-pace.ts'
import { taskDeletePermission, taskListPermission } from './task-pages.ts'
import { rolloutFields, WAVES_MAX } from './task-rollout.ts'
import { leftOut } from './task-target.ts'
import { waveRow } from './task-wave.ts'

/** Number of items by state; `failed` and `cancelled` besides the seven steps. */
export const taskCounts = z.object({
  ...Object.fromEntries(taskSteps.map((s) => [s, z.number()])),
  failed: z.number(),
  cancelled: z.number(),
  total: z.number(),
} as Record<(typeof taskSteps)[number] | 'failed' | 'cancelled' | 'total', z.ZodNumber>)
export type TaskCounts = z.infer<typeof taskCounts>

const pausedFacts = z.object({
  at: instant,
  reason: z
    .enum(pauseReasons)
    .describe(
      'failures: too many devices failed; person: a user paused it; sender: the responsible user is no longer permitted to run it; approval: it waits for a second person; wave: too few devices of a wave succeeded',
    ),
  by: z.string().nullable().describe('with person: the user who paused it'),
  failed: z.number().nullable().describe('with failures: number of failed devices when it was paused'),
  tried: z.number().nullable().describe('with failures: number of devices that had been sent the command'),
})

const kind = z.string().max(64).describe('a declared task kind')

export const taskRow = z.object({
  taskId: z.number(),
  kind,
  name: z.string(),
  description: z.string(),
  status: z.enum(taskStatuses),
  command: z.string().nullable().describe('of kinds that send one'),
  type: z.enum(fileTypes).nullable().describe('of kinds that send a file, as its name'),
  packageName: z.string().nullable(),
  version: z.string().nullable().describe('of a package, as its model'),
  model: z.string().nullable(),
  startAt: instant,
  createdAt: instant,
  completedAt: instant.nullable(),
  updatedAt: instant.describe('when it or one of its devices last got further'),
  createdBy: z.string().nullable(),
  customerName: z.string().nullable(),
  approval: z
    .enum(approvalStates)
    .nullable()
    .describe('of tasks that need a second person; null: it needs none'),
  paused: pausedFacts.nullable().describe('why an ongoing task is paused; null: not paused'),
  counts: taskCounts,
})

export const getTaskList = listCall({
  path: '/api/task/getTaskList',
  permission: taskListPermission,
  summary:
    'Tasks of every kind with their step counts. By urgency: first those that paused themselves, then those paused by a user, running ones, scheduled ones, completed ones.',
  sorts: ['createdAt', 'name', 'startAt', 'urgency'],
  descending: ['createdAt', 'startAt'],
  searches: ['name'],
  filters: { status: z.enum(taskStatuses).optional(), kind: kind.optional() },
  row: taskRow,
})

const taskId = rowId

export const getTask = call({
  path: '/api/task/getTask',
  permission: 'login',
  about: reads(taskObject, 'taskId'),
  summary:
    'One task: counts, failures grouped by reason, estimated end. Requires the permission for all tasks, or that of its kind.',
  body: z.object({ taskId }),
  reply: taskRow.extend({
    approvedBy: z.string().nullable().describe('who approved or refused it'),
    approvalAt: instant.nullable(),
    approvalUntil: instant.nullable().describe('undecided by then, it ends'),
    approvalNote: z.string().nullable(),
    canApprove: z.boolean().describe('the caller may decide: it waits, and they did not create it'),
    wave: z.number().describe('items of later waves wait'),
    waves: z.array(waveRow).describe('empty: all devices at once'),
    waveSuccessPercent: z.number(),
    soakMinutes: z.number().nullable(),
    unmetered: z.boolean(),
    joinUntil: instant.nullable().describe('devices that match its filter are included until then'),
    joins: joinFilter.extend({ groupName: z.string().nullable() }).nullable(),
    window: rolloutFields.window.unwrap(),
    retries: rolloutFields.retries.unwrap(),
    args: z.record(z.string(), z.unknown()).nullable().describe('of its command'),
    keepConfig: z.boolean().nullable(),
    server: z.string().nullable(),
    sizeBytes: z.number().nullable(),
    sha256: z.string().nullable(),
    waitOfflineMinutes: z.number(),
    expiresAt: instant
      .nullable()
      .describe('what had no turn by then gets none; null: it waits for its devices'),
    maxFailures: z.number().nullable(),
    maxFailurePercent: z.number().nullable(),
    maxInFlight: z.number(),
    slowStart: z.boolean(),
    maxPerSecond: z.number().nullable(),
    groupShare: z
      .number()
      .nullable()
      .describe('share of a group’s devices that may be offline for it at the same time, 0–1'),
    matching: z.number().nullable().describe('devices that the selection named'),
    leftOut: z.array(leftOut),
    failures: z.array(z.object({ failure: z.enum(taskFailures), count: z.number() })),
    errors: z
      .array(z.object({ error: z.string(), count: z.number() }))
      .describe('what failed devices said, the most frequent'),
    estimatedEndAt: instant
      .nullable()
      .describe('when the devices that are online will have ended, at the pace of late'),
    noEstimate: z.enum(noEstimateReasons).nullable().describe('why there is no estimate'),
    ratePerHour: z
      .number()
      .nullable()
      .describe('devices that ended per hour, of the last quarter of an hour; null: none, or too early'),
    waitingOffline: z.number().describe('devices not begun that are offline: no estimate counts them'),
  }),
})

export const getTaskItems = listCall({
  path: '/api/task/getTaskItems',
  permission: 'login',
  about: reads(taskObject, 'taskId'),
  summary: 'The devices of a task and the state of each.',
  sorts: ['deviceSn', 'step', 'stepAt'],
  searches: ['deviceSn', 'deviceName'],
  filters: {
    taskId,
    step: z.enum(taskSteps).optional(),
    outcome: z.enum([...taskOutcomes, 'running']).optional(),
    failure: z.enum(taskFailures).optional(),
    wave: z.coerce.number().int().min(0).max(WAVES_MAX).optional(),
  },
  row: z.object({
    itemId: z.string(),
    deviceId: z.number(),
    deviceSn: z.string(),
    deviceName: z.string(),
    timeZone: deviceZone,
    online: z.boolean(),
    ...deviceWork,
    attempt: z.number(),
    step: z.enum(taskSteps),
    percent: z.number().nullable(),
    outcome: z.enum(taskOutcomes).nullable(),
    failure: z.enum(taskFailures).nullable(),
    failureDetail: z
      .string()
      .nullable()
      .describe(
        'why, in detail: a code of the platform (backWith:1.4.1, silentIn:connected, overtaken, …), or the words of the device; who cancelled is in the timeline',
      ),
    heldUpBy: z
      .enum(taskFailures)
      .nullable()
      .describe('while it runs: the reason its device reports for the step waiting; it keeps retrying'),
    stepAt: instant,
    sentAt: instant.nullable(),
    deadlineAt: instant.nullable(),
    soakUntil: instant.nullable().describe('it has proved itself, and is observed until then'),
    retryAt: instant
      .nullable()
      .describe('failed: when the platform tries it again; null while the task is paused'),
    wave: z.number(),
    fromVersion: z.string().nullable(),
    version: z.string().nullable(),
    result: z.record(z.string(), z.unknown()).nullable().describe('what the command returned'),
    canCancel: z.boolean(),
  }),
})

const someItems = z.array(z.uuid()).max(TASK_MAX_DEVICES).optional()

export const cancelTask = call({
  path: '/api/task/cancelTask',
  bodyLimit: bodyLimits.selection,
  permission: 'login',
  writes: true,
  about: uses(taskObject, 'taskId'),
  summary:
    'Cancels a task, or some of its devices; those past recall run to their end. Requires the permission of the kind.',
  body: z.object({ taskId, itemIds: someItems }),
  reply: z.object({ cancelled: z.number(), locked: z.number() }),
})

export const pauseTask = call({
  path: '/api/task/pauseTask',
  permission: 'login',
  writes: true,
  about: uses(taskObject, 'taskId'),
  summary:
    'Pauses a task: nothing more is sent, devices that have not started are called back and wait, devices past recall continue. Requires the permission of the kind.',
  body: z.object({ taskId }),
})

export const resumeTask = call({
  path: '/api/task/resumeTask',
  permission: 'login',
  writes: true,
  about: uses(taskObject, 'taskId'),
  summary:
    'Resumes a paused task. Failures so far no longer count towards its limits, and the user who resumes it becomes its owner. Requires the permission of the kind.',
  body: z.object({ taskId }),
  reply: z.object({ waiting: z.number().describe('devices that have not begun') }),
})

export const skipWave = call({
  path: '/api/task/skipWave',
  permission: 'login',
  writes: true,
  about: uses(taskObject, 'taskId'),
  summary:
    'Begins the next wave now, without waiting for the success of the present one, whose devices continue; of a paused task its devices wait until it is resumed. Requires the permission of the kind.',
  body: z.object({
    taskId,
    wave: z
      .int()
      .min(1)
      .max(WAVES_MAX)
      .optional()
      .describe(
        '`nth` of the wave that is meant; refused if it is not the next one any more: without it, two users who want the same wave begin two',
      ),
  }),
  reply: z.object({
    wave: z.number(),
    paused: z.boolean().describe('its devices wait until the task is resumed'),
  }),
})

export const retryTask = call({
  path: '/api/task/retryTask',
  bodyLimit: bodyLimits.selection,
  permission: 'login',
  writes: true,
  about: uses(taskObject, 'taskId'),
  summary:
    'Retries the failed devices, all or those of one reason. Devices that meanwhile have the version are skipped; of a paused task they wait until it is resumed. Who retries a completed task becomes its owner. Requires the permission of the kind.',
  body: z.object({ taskId, failure: z.enum(taskFailures).optional(), itemIds: someItems }),
  reply: z.object({ retried: z.number(), skipped: z.number() }),
})

export const deleteTask = call({
  path: '/api/task/deleteTask',
  permission: taskDeletePermission,
  writes: true,
  about: deletes(taskObject, 'taskId'),
  summary: 'Deletes a completed task.',
  body: z.object({ taskId }),
})
