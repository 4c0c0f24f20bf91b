/** Upgrade tasks: which devices can take a package, and creating one. */

import { z } from 'zod'
import { makes, reads } from '../kit/about.ts'
import { bodyLimits, call } from '../kit/call.ts'
import { field } from '../kit/field.ts'
import { flag } from '../kit/flag.ts'
import { storable } from '../kit/list.ts'
import { rowId } from '../kit/row-id.ts'
import { type PackageType, packageTypes } from './package.ts'
import { packageObject } from './package-object.ts'
import { arrived } from './task.ts'
import { approvalFields } from './task-approval.ts'
import { guardFields, paceFields } from './task-guard.ts'
import { taskObject } from './task-object.ts'
import { taskListPermission, upgradeCreatePermission } from './task-pages.ts'
import { onceFields, target } from './task-target.ts'

const id = rowId

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

/** Why a visible device cannot take a package; null: it can. */
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
  about: reads(packageObject, 'spId'),
  bodyLimit: bodyLimits.selection,
  permission: upgradeCreatePermission,
  summary:
    'The devices that could install this package, and those that could not, with the reason. Nothing is written.',
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
  blanks: ['packageType'],
  permission: upgradeCreatePermission,
  writes: true,
  about: makes(taskObject, { by: 'taskId', named: 'name', of: { object: packageObject, by: 'spId' } }),
  summary:
    'Creates an upgrade task for the eligible devices; the ineligible ones are returned with their reasons.',
  body: target.extend({
    name: storable(z.string().trim().min(1).max(64)),
    description: storable(z.string().trim().max(500)).default(''),
    spId: field(id, { label: 'upgrade:field.package' }),
    path: z.string().max(500).optional().describe('kept for compatibility; the package is found by spId'),
    spFileSize: z.coerce.number().optional().describe('likewise'),
    keepConfig: field(flag.default(true), {
      label: 'upgrade:wizard.keepConfig',
      hint: 'upgrade:wizard.keepConfigHint',
    }),
    server: z
      .string()
      .max(500)
      .optional()
      .describe('base URL of a configured file server; default: the platform'),
    packageType: z.enum(packageTypes).optional(),
    startAt: z.iso.datetime({ offset: true }).optional().describe('default: now'),
    waitOfflineMinutes: field(z.coerce.number().int().min(0).max(10_080), { label: 'upgrade:wizard.wait' })
      .optional()
      .describe(
        'how long an offline device is waited for, from the start or from when it left; default: the parameter upgradeWaitMinutes',
      ),
    ...onceFields,
    ...approvalFields,
    ...guardFields,
    ...paceFields,
  }),
  reply: z.object({
    taskId: z.number(),
    devices: z.number(),
    skipped: z.array(z.object({ deviceId: z.number(), reason: z.enum(ineligibleReasons) })),
  }),
})

export const getFileServers = call({
  path: '/api/levelUp/getFileServers',
  permission: taskListPermission,
  summary: 'The file servers that a task may use.',
  reply: z.object({ list: z.array(z.object({ url: z.string(), isDefault: z.boolean() })) }),
})
