/** Configuring many devices: chosen page values, or their templates, as a task that applies each change on trial. */
import { z } from 'zod'
import { deviceObject } from '../device/device-object.ts'
import { makes, reads } from '../kit/about.ts'
import { bodyLimits, call } from '../kit/call.ts'
import { because } from '../kit/fault.ts'
import { secret } from '../kit/field.ts'
import { rowId } from '../kit/row-id.ts'
import { delayed, fileTaskFields, waitOffline } from '../task/file-task.ts'
import { taskObject } from '../task/task-object.ts'
import { leftOut, target } from '../task/task-target.ts'
import { configApplyPermission, configReadPermission, TRIAL_MAX_S, TRIAL_MIN_S } from './commands/config.ts'
import { configVersions, pageFault } from './device-config.ts'

const pageName = z.string().min(1).max(64)
export const PAGES_MAX = 32
/** By page; of a page only the fields that are to be set. */
export const pageValues = z
  .record(pageName, z.record(z.string().max(64), z.unknown()))
  .refine((pages) => Object.keys(pages).length <= PAGES_MAX, because({ reason: 'more', n: PAGES_MAX }))

const changeFields = {
  by: z.enum(['values', 'templates']).default('values').describe('templates: what those of each device say'),
  pages: secret(pageValues)
    .default({})
    .describe('by page, the fields to set; the others stay as each device has them'),
  fromId: rowId
    .optional()
    .describe('the device that the values were read from: its passwords take the place of masks'),
}

/** The effect of a change. Counted in steps of a second at most: `next` continues from here. */
export const impact = z.object({
  devices: z.number().describe('all that it reaches'),
  done: z.number().describe('counted in this step'),
  changed: z.number(),
  onUplink: z.number().describe('of those: on the interface over which the device reaches the platform'),
  same: z.number().describe('they run it already'),
  unread: z.number().describe('their configuration is not known yet'),
  faulty: z.number().describe('it would be refused there'),
  faults: z.array(z.object({ sn: z.string(), fault: z.string() })).describe('some of them'),
  warnings: z
    .array(pageFault.extend({ devices: z.number() }))
    .describe(
      'what the review of each of them would warn of, and on how many of the devices that the change changes; `path` without row numbers',
    ),
  next: z.number().nullable().describe('null: all are counted'),
})
/** Where the count continues. */
export const countedUntil = rowId.optional()

export const getConfigValues = call({
  path: '/api/config/getConfigValues',
  permission: configReadPermission,
  about: reads(deviceObject, 'deviceId'),
  summary:
    'What a device runs, or what was set from here, as the values of all pages that it has. Passwords and keys are masked.',
  body: z.object({ deviceId: rowId, which: z.enum(configVersions).default('running') }),
  reply: z.object({ pages: pageValues }),
})

export const previewMany = call({
  path: '/api/config/previewMany',
  bodyLimit: bodyLimits.selection,
  permission: configApplyPermission,
  summary:
    'The devices that such a change could be sent to, and those that it could not, with the reason. Nothing is written.',
  body: target.extend({ pages: z.array(pageName).max(PAGES_MAX) }),
  reply: z.object({
    matching: z.number(),
    eligible: z.number(),
    delayed,
    leftOut: z.array(leftOut),
    confirmS: z.number().describe('the longest trial among these pages'),
    waitOfflineMinutes: waitOffline,
  }),
})

export const getChangeImpact = call({
  path: '/api/config/getChangeImpact',
  bodyLimit: bodyLimits.selection,
  permission: configReadPermission,
  about: reads(deviceObject, 'fromId'),
  summary:
    'How many devices a change would change, counted with the documents that they run. Nothing is written.',
  body: target.extend({ ...changeFields, after: countedUntil }),
  reply: impact,
})

const taskFields = z.object(fileTaskFields).omit({ path: true, spFileSize: true }).shape

export const applyMany = call({
  path: '/api/config/applyMany',
  bodyLimit: bodyLimits.selection,
  permission: configApplyPermission,
  writes: true,
  about: makes(taskObject, {
    by: 'taskId',
    named: 'name',
    of: { object: deviceObject, by: 'fromId' },
  }),
  summary:
    'Creates a task that changes the configuration of these devices: each gets its own packages, made from what it runs when its turn comes, tries them and keeps them once confirmed.',
  body: target.extend({
    ...changeFields,
    confirmS: z
      .int()
      .min(TRIAL_MIN_S)
      .max(TRIAL_MAX_S)
      .optional()
      .describe('instead of what the pages need; ignored where nothing needs a trial'),
    ...taskFields,
  }),
  reply: z.object({ taskId: z.number(), devices: z.number(), leftOut: z.array(leftOut) }),
})
