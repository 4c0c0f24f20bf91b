/** Sets a register or a coil of a slave, and reads back what it then holds. */
import { z } from 'zod'
import { deviceText } from '#schema/device/hello'
import { command } from '#schema/kit/command'
import { permission } from '#schema/kit/permission'
import { ADDRESS_MAX, byteOrders, dataTypes, SLAVE_ID_MAX } from '../fields.ts'
import { planBus } from '../wire.ts'

export const variableWritePermission = permission({
  id: 21790,
  name: 'variableWrite',
  role: 'operator',
  under: 'variable-list',
})

/**
 * confirmed: read back as written; mismatch: the slave accepted it but contains another value; notReadable: the slave
 * accepted it, and it cannot be read back; exception: refused by the slave; unknown: no response, and it cannot be read
 * back either.
 */
export const writeOutcomes = ['confirmed', 'mismatch', 'notReadable', 'exception', 'unknown'] as const
export type WriteOutcome = (typeof writeOutcomes)[number]

/** Raw: a number, or the digits of a 64-bit integer beyond 2^53. */
const raw = z.union([z.number(), deviceText(250)])

export const writeVariable = command({
  name: 'writeVariable',
  permission: variableWritePermission,
  summary:
    'Writes one raw value, ahead of the polls, and reads it back after 200 ms, at most three times. Writes exactly once: without an answer the read-back decides, and if that fails, too, the outcome is unknown. Never to slave 0 of a serial line, the broadcast address. Functions 5 and 6; 16 for more than one register or with `multiple` (15 for a coil); for `bit` and `bits` 22, or if the slave does not know it, reading and writing without anything in between.',
  args: z.object({
    ...planBus.shape,
    unit: z.int().min(0).max(SLAVE_ID_MAX),
    timeoutMs: z.int().min(50).max(30_000),
    table: z.enum(['coil', 'holding']),
    address: z.int().min(0).max(ADDRESS_MAX),
    type: z.enum(dataTypes),
    order: z.enum(byteOrders),
    bit: z.int().min(0).max(15).optional(),
    length: z.int().min(1).max(125).optional(),
    value: raw,
    multiple: z.boolean().default(false),
    readable: z.boolean().default(true).describe('false: it can only be written'),
  }),
  reply: z.object({
    outcome: z.enum(writeOutcomes),
    exception: z.int().min(1).max(255).optional(),
    before: raw.nullable().describe('read before writing; null: it could not be read'),
    after: raw.nullable().describe('as read back; null: it could not be read'),
    sent: deviceText(1_024).describe('the request that wrote, in hexadecimal digits'),
    received: deviceText(1_024),
  }),
  deadlineS: 60,
  repeatSafe: false,
  verify: 'reply',
  effect: 'changes',
  confirm: 'ask',
  // The platform knows the variable: its limits, its factor and who may set it.
  platformOnly: true,
  exampleArgs: {
    kind: 'tcp',
    host: '192.168.1.20',
    port: 502,
    unit: 1,
    timeoutMs: 1_000,
    table: 'holding',
    address: 100,
    type: 'uint16',
    order: 'ABCD',
    value: 455,
  },
  exampleReply: {
    outcome: 'confirmed',
    before: 450,
    after: 455,
    sent: '0001000000060106006401C7',
    received: '0001000000060106006401C7',
  },
})
