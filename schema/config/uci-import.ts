/** A router's `uci export`, taken into the draft of a device or read as values of pages for a template. */
import { z } from 'zod'
import { deviceObject } from '../device/device-object.ts'
import { reads, uses } from '../kit/about.ts'
import { bodyLimits, call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { secret } from '../kit/field.ts'
import { rowId } from '../kit/row-id.ts'
import { configApplyPermission, configReadPermission } from './commands/config.ts'
import { pageValues } from './config-many.ts'
import { configTemplateListPermission } from './config-template.ts'
import { pageFault, uciChange } from './device-config.ts'

/** What a router of this platform can report fits several times. */
export const UCI_TEXT_MAX = 512 * 1024

/** The draft that holds the imported packages; no page has this name. */
export const IMPORTED = 'uci'

const given = {
  deviceId: rowId,
  uciText: secret(z.string().min(1).max(UCI_TEXT_MAX)).describe(
    'as `uci export` prints it, each package behind its `package` line; a mask stands for the secret that the device has',
  ),
  merge: z
    .boolean()
    .default(false)
    .describe('true: sections and options that the text lacks stay, as with `uci -m import`'),
}

/** Packages that the device does not manage cannot be sent to it. */
const packages = z.array(z.object({ name: z.string(), outcome: z.enum(['changes', 'same', 'unmanaged']) }))

export const compareUci = call({
  path: '/api/config/compareUci',
  bodyLimit: bodyLimits.selection,
  permission: configReadPermission,
  about: reads(deviceObject, 'deviceId'),
  summary:
    'What importing a UCI text would change on a device: by field, and in UCI. Passwords are masked. Nothing is kept.',
  body: z.object(given),
  reply: z.object({
    packages,
    fields: z.array(
      z.object({ page: z.string(), name: z.string(), before: z.unknown(), after: z.unknown() }),
    ),
    uci: z.array(uciChange),
    faults: z.array(pageFault).describe('with any of these it would not be applied'),
    warnings: z.array(pageFault).describe('names that nothing has, which may come later'),
    edition: edition.describe('of the text imported before, whose place it would take'),
  }),
})

export const importUci = call({
  path: '/api/config/importUci',
  bodyLimit: bodyLimits.selection,
  permission: configApplyPermission,
  writes: true,
  about: uses(deviceObject, 'deviceId'),
  summary:
    'Takes a UCI text into the draft of a device, in the place of a former one; edits of pages stay on top of it. Nothing is sent. Options that no page knows come along, and packages that the text lacks stay as they are.',
  body: z.object({ ...given, edition: openedEdition }),
  reply: z.object({ packages }),
})

export const readUci = call({
  path: '/api/config/readUci',
  bodyLimit: bodyLimits.selection,
  permission: configTemplateListPermission,
  summary:
    'The values of pages that a UCI text says, for a template. Passwords and keys are left out: a template takes them from variables.',
  body: z.object({ uciText: given.uciText }),
  reply: z.object({
    pages: pageValues,
    unknown: z.array(z.string()).describe('packages that no page reads'),
  }),
})
