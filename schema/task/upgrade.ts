/** Upgrade tasks: which devices can take a package, and creating one. */

import { z } from 'zod'
import { makes, reads } from '../kit/about.ts'
import { bodyLimits, call } from '../kit/call.ts'
import { field } from '../kit/field.ts'
import { flag } from '../kit/flag.ts'
import { rowId } from '../kit/row-id.ts'
import { mobileData } from './data-plan.ts'
import { delayed, fileTaskFields, waitOffline } from './file-task.ts'
import { memoryShort } from './memory-need.ts'
import { type PackageType, packageTypes } from './package.ts'
import { packageObject } from './package-object.ts'
import { arrived } from './task.ts'
import { taskObject } from './task-object.ts'
import { taskListPermission, upgradeCreatePermission } from './task-pages.ts'
import { target } from './task-target.ts'

const id = rowId

/** Why a device cannot take a package. */
export const ineligibleReasons = [
  'modelMismatch',
  'modelUnknown',
  'alreadyInstalled',
  'revoked',
  'notFound',
] as const
export type IneligibleReason = (typeof ineligibleReasons)[number]
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

/** Devices on which a package would replace a newer version. It fits them all the same: to go back may be the purpose. */
const downgraded = z
  .object({ count: z.number(), sample: z.array(z.string()).describe('some serial numbers of those') })
  .describe('eligible devices on which a newer version is installed')

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
    delayed,
    waitOfflineMinutes: waitOffline,
    mobile: mobileData,
    memoryShort,
    downgraded,
    ineligible: z.array(
      z.object({ reason: z.enum(ineligibleReasons), count: z.number(), sample: z.array(z.string()) }),
    ),
  }),
})

export const addLevelUp = call({
  path: '/api/levelUp/addLevelUp',
  bodyLimit: bodyLimits.selection,
  blanks: ['description', 'path', 'spFileSize', 'server', 'packageType'],
  permission: upgradeCreatePermission,
  writes: true,
  about: makes(taskObject, { by: 'taskId', named: 'name', of: { object: packageObject, by: 'spId' } }),
  summary:
    'Creates an upgrade task for the eligible devices; the ineligible ones are returned with their reasons.',
  body: target.extend({
    ...fileTaskFields,
    spId: field(id, { label: 'upgrade:field.package' }),
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
