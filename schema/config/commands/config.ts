/** Reading the configuration of a device, and changing it on trial: apply, then confirm or revert. */
import { z } from 'zod'
import { deviceText } from '#schema/device/hello'
import { command } from '#schema/kit/command'
import { secret } from '#schema/kit/field'
import { permission } from '#schema/kit/permission'
import { shaped } from '#schema/kit/shape'
import { packageHashes, packageName, sha256 } from '../reported.ts'

export const configReadPermission = permission({
  id: 3401,
  name: 'configRead',
  role: 'viewer',
  under: 'device-list',
})
export const configApplyPermission = permission({
  id: 3402,
  name: 'configApply',
  role: 'operator',
  under: 'device-list',
})

const shared = { verify: 'reply', confirm: 'none', platformOnly: true, repeatSafe: true } as const

export const readConfig = command({
  ...shared,
  name: 'readConfig',
  permission: configReadPermission,
  summary:
    'Reports its configuration with the message `config`, without the texts of packages whose hash the platform has already (`known`). Then `done`.',
  args: z.object({ known: packageHashes }),
  reply: z.object({}),
  deadlineS: 60,
  effect: 'harmless',
  exampleArgs: { known: {} },
  exampleReply: {},
})

export const TRIAL_MIN_S = 30
export const TRIAL_MAX_S = 900
/** All texts of one change: escaped in JSON they must pass the broker as one message. */
export const CHANGE_MAX_CHARACTERS = 96 * 1024

const text = secret(z.string().max(CHANGE_MAX_CHARACTERS))
const revision = z.int().min(1).max(2_147_483_647)

/**
 * confirmed: it stays. reverted: it was not confirmed in time, or the platform requested it. rejected: not applied, see
 * `fault`. conflict: a package differs from the one that the change is based on. busy: a change is on trial in the
 * device's own web page, or another change is on trial.
 */
export const configOutcomes = ['confirmed', 'reverted', 'rejected', 'conflict', 'busy'] as const

export const applyConfig = command({
  ...shared,
  name: 'applyConfig',
  permission: configApplyPermission,
  summary:
    'Replaces whole UCI packages. Check `base` and the texts before touching anything; reply `accepted`; write a journal; apply; with `confirmS` above 0 drop the connection and make a new one, say hello with `pending`, and restore everything if `confirmConfig` does not come in time, also across a reboot. `done` with outcome `confirmed`; every other outcome is `failed`, with the same result.',
  args: z.object({
    revision: revision.describe('counts the changes of this device'),
    base: z
      .record(packageName, sha256.nullable())
      .describe('hash of each package of `packages` that the change is based on; null: does not exist'),
    packages: z
      .array(z.object({ name: packageName, text: text.nullable(), hash: sha256.nullable() }))
      .min(1)
      .max(32)
      .describe('the whole text of each, and the hash of its canonical form; null: the package is removed'),
    files: z
      .array(
        z.object({
          path: z.string().regex(shaped(/^\/etc\/(openvpn|n2n|ssl|agent)\/[\w.-]{1,64}$/, 'configFile')),
          text: text.nullable(),
        }),
      )
      .max(32)
      .default([])
      .describe('certificates and keys that options name; null: removed'),
    configHash: sha256.describe('of all managed packages afterwards'),
    confirmS: z
      .int()
      .min(0)
      .max(TRIAL_MAX_S)
      .describe(`0: no trial; else ${TRIAL_MIN_S} to ${TRIAL_MAX_S}, by the device's uptime`),
  }),
  reply: z.object({
    outcome: z.enum(configOutcomes),
    configHash: sha256.optional().describe('of the running configuration now'),
    fault: z
      .object({
        package: deviceText(64),
        section: deviceText(64).optional().describe('its name, or `@rule[3]`: the fourth of its type'),
        option: deviceText(64).optional(),
        reason: deviceText(300),
      })
      .optional(),
    detail: deviceText(300).optional().describe('why it was reverted'),
  }),
  deadlineS: 1500,
  effect: 'interrupts',
  exampleArgs: {
    revision: 7,
    base: { system: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
    packages: [
      {
        name: 'system',
        text: "package system\n\nconfig system\n\toption hostname 'shop-17'\n\n",
        hash: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
      },
    ],
    files: [],
    configHash: 'fd61a03af4f77d870fc21e05e7e80678095c92d808cfb3b5c279ee04c74aca13',
    confirmS: 90,
  },
  exampleReply: {
    outcome: 'confirmed',
    configHash: 'fd61a03af4f77d870fc21e05e7e80678095c92d808cfb3b5c279ee04c74aca13',
  },
})

export const confirmConfig = command({
  ...shared,
  name: 'confirmConfig',
  permission: configApplyPermission,
  summary:
    'The change on trial stays: only this deletes the journal. Repeated until a hello comes without `pending` or the change has ended by a reply to its `applyConfig`; of another revision, or without a trial, it means nothing.',
  args: z.object({ revision }),
  reply: z.object({}),
  deadlineS: 60,
  effect: 'harmless',
  exampleArgs: { revision: 7 },
  exampleReply: {},
})

export const revertConfig = command({
  ...shared,
  name: 'revertConfig',
  permission: configApplyPermission,
  summary: 'The change on trial is taken back at once, as if its time had passed.',
  args: z.object({ revision }),
  reply: z.object({}),
  deadlineS: 120,
  effect: 'interrupts',
  exampleArgs: { revision: 7 },
  exampleReply: {},
})
