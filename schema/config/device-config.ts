/** The configuration of one device: the running one, edits, and the change in progress. */
import { z } from 'zod'
import { deviceObject } from '../device/device-object.ts'
import { reads, uses } from '../kit/about.ts'
import { bodyLimits, call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { namedThings, secret } from '../kit/field.ts'
import { rowId } from '../kit/row-id.ts'
import { instant } from '../kit/time.ts'
import { configApplyPermission, configReadPermission, TRIAL_MAX_S, TRIAL_MIN_S } from './commands/config.ts'
import { configEnds, configStates } from './config-state.ts'

/** What the device has, and what was set from here. */
export const configVersions = ['running', 'desired'] as const

const deviceId = rowId
const pageName = z.string().min(1).max(64)
const values = z.record(z.string().max(64), z.unknown())

/**
 * oldVersion: the software of the device is older than the page. lacking: it has not what the page needs. unread: its
 * configuration has not been read yet.
 */
export const offers = ['yes', 'oldVersion', 'lacking', 'unread'] as const
export type Offer = (typeof offers)[number]

/** The message about a field, in the reader's language. */
const fault = z.object({ path: z.string(), message: z.string() })
export const pageFault = fault.extend({ page: z.string() })

export const getDeviceConfig = call({
  path: '/api/config/getDeviceConfig',
  permission: configReadPermission,
  about: reads(deviceObject, 'deviceId'),
  summary: 'The state of the configuration of one device, its pages, and who is editing which.',
  body: z.object({ deviceId }),
  reply: z.object({
    state: z.enum(configStates),
    readAt: instant.nullable(),
    runningHash: z.string().nullable(),
    revision: z.number().describe('counts the changes sent from here'),
    onTrial: z.boolean().describe('the device waits for the confirmation of a change'),
    taskId: z.number().nullable().describe('of the change under way, or of the last one'),
    ended: z.enum(configEnds).nullable(),
    endedAt: instant.nullable(),
    fault: z
      .object({
        page: z.string().nullable(),
        path: z.string().nullable(),
        place: z.string(),
        reason: z.string(),
      })
      .nullable()
      .describe('what the device refused, and the field of it, where a page has one'),
    detail: z.string().nullable(),
    drift: z.number().describe('differences from what was set'),
    pages: z.array(
      z.object({
        name: z.string(),
        offer: z.enum(offers),
        since: z
          .string()
          .nullable()
          .describe(
            'of oldVersion: the oldest firmware that has it, by the devices of this model; null: not known',
          ),
        changed: z.array(z.string()).describe('fields that are edited and not applied'),
        changedBy: z.string().nullable(),
        changedAt: instant.nullable(),
      }),
    ),
    imported: z
      .object({ packages: z.array(z.string()), by: z.string().nullable(), at: instant })
      .nullable()
      .describe('a UCI text in the draft'),
  }),
})

export const getConfigPage = call({
  path: '/api/config/getConfigPage',
  permission: configReadPermission,
  about: reads(deviceObject, 'deviceId'),
  summary: 'One page: the running values and the edited ones. Passwords and keys are masked.',
  body: z.object({ deviceId, page: pageName }),
  reply: z.object({
    running: values,
    values: values.describe('with what is edited'),
    changed: z.array(z.string()),
    changedBy: z.string().nullable(),
    changedAt: instant.nullable(),
    faults: z.array(fault).describe('of the edited values together with the rest of the configuration'),
    names: z
      .record(z.enum(namedThings), z.array(z.string()).nullable())
      .describe('what its fields can refer to by name, with what is edited on other pages; null: not known'),
    edition,
  }),
})

export const saveConfigDraft = call({
  path: '/api/config/saveConfigDraft',
  permission: configApplyPermission,
  writes: true,
  about: uses(deviceObject, 'deviceId'),
  summary:
    'Keeps edited values of one page; nothing is sent. Fields that are left out, or equal to the running ones, are not edited. A masked password stays as it is.',
  body: z.object({ deviceId, page: pageName, values: secret(values), edition: openedEdition }),
  reply: z.object({ changed: z.array(z.string()), faults: z.array(fault) }),
})

export const fillConfigDraft = call({
  path: '/api/config/fillConfigDraft',
  permission: configApplyPermission,
  writes: true,
  about: uses(deviceObject, 'deviceId'),
  summary:
    'Takes into the draft what the platform itself has for a page: into `n2n-edge` the remote account of the device’s group, or of the nearest group above that has one. Passwords are not shown.',
  body: z.object({ deviceId, page: pageName }),
  reply: z.object({ changed: z.array(z.string()) }),
})

export const discardConfigDraft = call({
  path: '/api/config/discardConfigDraft',
  permission: configApplyPermission,
  writes: true,
  about: uses(deviceObject, 'deviceId'),
  summary: 'Forgets the edited values of one page, or of all; `uci` for an imported text.',
  body: z.object({ deviceId, page: pageName.optional() }),
})

export const uciChange = z.object({
  place: z.string().describe('package.section.option'),
  kind: z.enum(['added', 'removed', 'changed', 'moved']),
  before: z.string().nullable(),
  after: z.string().nullable(),
})

const reviewed = z.string().max(32)

export const reviewConfig = call({
  path: '/api/config/reviewConfig',
  permission: configReadPermission,
  about: reads(deviceObject, 'deviceId'),
  summary: 'What applying the edited values would change: by field, and in UCI. Nothing is sent.',
  body: z.object({ deviceId }),
  reply: z.object({
    fields: z.array(
      z.object({
        page: z.string(),
        name: z.string(),
        before: z.unknown(),
        after: z.unknown(),
        by: z.string().nullable(),
        at: instant,
      }),
    ),
    uci: z.array(uciChange),
    batch: z.string().describe('as a script for `uci batch`, to read or to export; passwords masked'),
    confirmS: z.number().describe('how long the device tries the change; 0: it cannot be cut off by it'),
    faults: z.array(pageFault).describe('with any of these it is not applied'),
    warnings: z.array(pageFault).describe('names that nothing has, which may come later'),
    reviewed: reviewed.describe('which changes these are; for `applyDevice`'),
  }),
})

export const applyDevice = call({
  path: '/api/config/applyDevice',
  permission: configApplyPermission,
  writes: true,
  about: uses(deviceObject, 'deviceId'),
  summary:
    'Sends the edited values as a task of one device, on trial where they could cut it off. It waits for an offline device.',
  body: z.object({
    deviceId,
    confirmS: z
      .int()
      .min(TRIAL_MIN_S)
      .max(TRIAL_MAX_S)
      .optional()
      .describe('default: as the pages say; ignored where no trial is needed'),
    reviewed: reviewed
      .optional()
      .describe(
        'of the review that was confirmed: refused when other changes would be sent by now. Absent: whatever is edited',
      ),
  }),
  reply: z.object({ taskId: z.number() }),
})

export const getConfigDrift = call({
  path: '/api/config/getConfigDrift',
  permission: configReadPermission,
  about: reads(deviceObject, 'deviceId'),
  summary:
    'Differences between the running and the set configuration; another order alone is none. Passwords are masked.',
  body: z.object({ deviceId }),
  reply: z.object({
    changes: z.array(uciChange.extend({ difference: z.string().describe('for `settleDrift`') })),
    ignored: z.array(z.string()),
    desiredAt: instant.nullable().describe('when the set configuration was last changed; null: never'),
    desiredBy: z.string().nullable().describe('who changed it; null: a restored file, or unknown'),
  }),
})

export const driftSettlements = ['adopt', 'overwrite', 'ignore'] as const

export const settleDrift = call({
  path: '/api/config/settleDrift',
  permission: configApplyPermission,
  writes: true,
  about: uses(deviceObject, 'deviceId'),
  summary:
    'adopt: what runs becomes what is set. overwrite: what was set is sent again, on trial. ignore: this difference is not shown again until the next change.',
  body: z.object({
    deviceId,
    differences: z.array(z.string().min(1).max(300)).min(1).max(500),
    how: z.enum(driftSettlements),
  }),
  bodyLimit: bodyLimits.selection,
  reply: z.object({ drift: z.number(), taskId: z.number().nullable() }),
})

export const revertTrial = call({
  path: '/api/config/revertTrial',
  permission: configApplyPermission,
  writes: true,
  about: uses(deviceObject, 'deviceId'),
  summary: 'Tells the device to take back the change that is on trial.',
  body: z.object({ deviceId }),
})

export const getConfigText = call({
  path: '/api/config/getConfigText',
  permission: configReadPermission,
  about: reads(deviceObject, 'deviceId'),
  summary:
    'The configuration that a device runs, or that was set from here, as `uci export` prints it; passwords and keys masked.',
  body: z.object({ deviceId, which: z.enum(configVersions).default('running') }),
  reply: z.object({ text: z.string() }),
})
