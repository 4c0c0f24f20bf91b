/**
 * Commands for commissioning a slave: which slaves are on the line, which registers exist, and the raw bytes of
 * responses. None of them writes. Each command is a short piece of work, so that a scan can be stopped at any time and
 * does not block other requests.
 */
import { z } from 'zod'
import { command } from '#schema/kit/command'
import { because } from '#schema/kit/fault'
import { permission } from '#schema/kit/permission'
import { ADDRESS_MAX, registerTypes, SLAVE_ID_MAX } from '../fields.ts'
import { planBus } from '../wire.ts'

export const commissionPermission = permission({
  id: 21690,
  name: 'commission',
  role: 'operator',
  under: 'monitor-terminal-list',
})

/** Maximum slaves of one `scanSlaves`, and registers of one `probeRegisters`. */
export const SCAN_MAX = 32
export const PROBE_MAX = 250
/** [Modbus 6.3] Of one request. */
const REGISTERS_MAX = 125

const hex = (bytes: number) =>
  z
    .string()
    .max(2 * bytes)
    .regex(/^([0-9A-F]{2})*$/)
/** Of a serial line at most 256, of Modbus TCP at most 260 bytes. */
const frame = hex(512)
const unit = z.int().min(0).max(SLAVE_ID_MAX)
const address = z.int().min(0).max(ADDRESS_MAX)
const timeoutMs = z.int().min(50).max(10_000).default(1_000)
/** Of a single request: as long as a template may wait, whose test reading this is. */
const longTimeoutMs = z.int().min(50).max(30_000).default(1_000)

/** A device has room for so many results: what `to` says is refused before it is sent. Both ends count. */
const within =
  (most: number) =>
  ({ from, to }: { from: number; to: number }, context: z.core.$RefinementCtx) => {
    const fault = (reason: 'less' | 'greater', n: number) =>
      context.addIssue({ code: 'custom', path: ['to'], params: because({ reason, n }).params })
    if (to < from) fault('less', from)
    else if (to - from >= most) fault('greater', from + most - 1)
  }

/** timeout: no response; crc: a damaged one; noPath: no connection to the bus. */
export const asked = z.enum(['answered', 'exception', 'timeout', 'crc', 'noPath'])

const shared = {
  permission: commissionPermission,
  repeatSafe: true,
  verify: 'reply',
  effect: 'harmless',
  confirm: 'none',
  place: 'part',
  banner: false,
} as const

const line = planBus.shape
const exampleLine = { kind: 'tcp', host: '192.168.1.20', port: 502 } as const

export const readRegisters = command({
  ...shared,
  name: 'readRegisters',
  summary:
    'Reads registers (or bits) of one slave once, ahead of the polls, and replies with both frames as they went over the line. A slave that does not answer is a result, not a failure.',
  args: z
    .object({
      ...line,
      unit,
      table: z.enum(registerTypes),
      address,
      count: z.int().min(1).max(2_000).describe('at most 125 registers, or 2,000 bits'),
      timeoutMs: longTimeoutMs,
    })
    .refine(({ table, count }) => table === 'coil' || table === 'discrete' || count <= REGISTERS_MAX, {
      path: ['count'],
      ...because({ reason: 'greater', n: REGISTERS_MAX }),
    }),
  reply: z.object({
    outcome: asked,
    exception: z.int().min(1).max(255).optional(),
    sent: frame.describe('the whole request, in hexadecimal digits'),
    received: frame.describe('everything that came back; empty: nothing'),
    data: hex(250)
      .optional()
      .describe('the registers, two bytes each; or the bits, eight in a byte, the first is the lowest'),
    tookMs: z.int().min(0),
  }),
  deadlineS: 60,
  exampleArgs: { ...exampleLine, unit: 1, table: 'holding', address: 0, count: 2 },
  exampleReply: {
    outcome: 'answered',
    sent: '000100000006010300000002',
    received: '00010000000701030443668000',
    data: '43668000',
    tookMs: 12,
  },
})

export const scanSlaves = command({
  ...shared,
  name: 'scanSlaves',
  summary:
    'Reads one register of each slave in turn. A slave that answers exists, even if it answers with an exception. It takes a quarter of the time of the bus while something else is due.',
  args: z
    .object({
      ...line,
      from: unit,
      to: unit.describe(`at most ${SCAN_MAX} slaves`),
      table: z.enum(registerTypes),
      address,
      timeoutMs: timeoutMs.default(200),
    })
    .superRefine(within(SCAN_MAX)),
  reply: z.object({
    path: z.boolean().describe('false: no connection to the bus'),
    found: z
      .array(
        z.object({
          unit,
          exception: z.int().min(1).max(255).optional(),
          data: hex(4).optional().describe('the register'),
          tookMs: z.int().min(0),
        }),
      )
      .max(SCAN_MAX),
  }),
  deadlineS: 300,
  exampleArgs: { ...exampleLine, from: 1, to: 16, table: 'holding', address: 0 },
  exampleReply: {
    path: true,
    found: [
      { unit: 1, data: '4366', tookMs: 12 },
      { unit: 7, exception: 2, tookMs: 11 },
    ],
  },
})

export const probeRegisters = command({
  ...shared,
  name: 'probeRegisters',
  summary:
    'Finds out which registers a slave has: in blocks of ten, halved where it answers with exception 2. Never writes; it takes a quarter of the time of the bus while something else is due.',
  args: z
    .object({
      ...line,
      unit,
      table: z.enum(registerTypes),
      from: address,
      to: address.describe(`at most ${PROBE_MAX} registers`),
      timeoutMs,
    })
    .superRefine(within(PROBE_MAX)),
  reply: z.object({
    outcome: asked.describe('exception: another one than 2 or 3 ended it'),
    exception: z.int().min(1).max(255).optional(),
    until: address.optional().describe('the last one that was looked at'),
    found: z
      .array(
        z.object({
          address,
          data: hex(250).describe('of neighbouring registers; of bits, eight in a byte'),
          count: z
            .int()
            .min(1)
            .max(PROBE_MAX)
            .optional()
            .describe('of bits: how many these are, which their bytes do not tell'),
        }),
      )
      .max(PROBE_MAX),
  }),
  deadlineS: 300,
  exampleArgs: { ...exampleLine, unit: 1, table: 'input', from: 0, to: 99 },
  exampleReply: { outcome: 'answered', until: 99, found: [{ address: 0, data: '43668000' }] },
})

export type Asked = z.output<typeof asked>
export type RawRead = z.output<typeof readRegisters.reply>
