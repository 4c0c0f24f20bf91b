/** What a device reports about its configuration: in hello, in status, and with the message `config`. */
import { z } from 'zod'
import { because } from '../kit/fault.ts'
import { uplink } from '../kit/message.ts'
import { shaped } from '../kit/shape.ts'
import { deviceTime } from '../kit/time.ts'

/**
 * File names of /etc/config. Texts and hashes are looked up by them in plain objects, which have a few members of their own, such as
 * `constructor`.
 */
export const packageName = z
  .string()
  .regex(shaped(/^[A-Za-z0-9_-]{1,48}$/, 'packageName'))
  .refine((name) => !(name in Object.prototype), because({ reason: 'format', shape: 'packageName' }))
export const sha256 = z.string().regex(shaped(/^[0-9a-f]{64}$/, 'sha256'))
/** By package: SHA-256 of the canonical form (`uci export` by absolute path). At most 64 packages. */
export const packageHashes = z
  .record(packageName, sha256)
  .refine((hashes) => Object.keys(hashes).length <= 64, because({ reason: 'more', n: 64 }))

const ability = z.string().regex(/^[A-Za-z0-9]{1,32}$/)

/** The member `config` of hello. */
export const helloConfig = z.object({
  level: z
    .int()
    .min(1)
    .max(1000)
    .describe('which configuration pages its software carries out: all whose level is not above'),
  packages: packageHashes.describe('the managed packages that exist, and the hash of each'),
  abilities: z.array(ability).max(64).describe('see Abilities'),
  uplink: z
    .string()
    .regex(shaped(/^[A-Za-z0-9_]{1,32}$/, 'sectionName'))
    .optional()
    .describe(
      'the interface of the package `network` over which it reaches the platform now; absent: not known. Changes of it are announced as such before they are sent',
    ),
  pending: z
    .object({
      revision: z.int().min(1).max(2_147_483_647),
      remainingS: z.int().min(0).max(3600),
    })
    .optional()
    .describe('a change on trial that is not confirmed yet'),
})

/** All texts of one message. Longer: `more`, and the platform asks again for the rest. */
export const REPORT_MAX_CHARACTERS = 48 * 1024

export const config = uplink({
  name: 'config',
  class: 'report',
  maxBytes: 131_072,
  summary:
    'The running configuration: after `readConfig`. The canonical text (`uci export`, with passwords and keys) of each managed package that differs from what the platform knows.',
  payload: z.object({
    at: deviceTime,
    configHash: sha256,
    packages: packageHashes.describe('all managed packages that exist'),
    texts: z
      .record(packageName, z.string().max(REPORT_MAX_CHARACTERS))
      .describe(`together at most ${REPORT_MAX_CHARACTERS} characters; a larger package is left out`),
    more: z.boolean().default(false).describe('packages were left out for their size: ask again'),
  }),
  example: {
    at: 1795226430000,
    configHash: 'fd61a03af4f77d870fc21e05e7e80678095c92d808cfb3b5c279ee04c74aca13',
    packages: { system: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752' },
    texts: { system: "package system\n\nconfig system\n\toption hostname 'shop-17'\n\n" },
    more: false,
  },
})
