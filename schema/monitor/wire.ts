/**
 * The payloads about variables between a gateway and the platform. The gateway knows registers, types and cycles, never
 * units or factors: it sends raw decoded values, and the platform scales them by the plan that they were read by
 * (scale.ts). So values that were buffered for days keep the meaning that they had when they were read.
 */

import { z } from 'zod'
import { deviceText } from '../device/hello.ts'
import { deviceTime } from '../kit/time.ts'
import {
  ADDRESS_MAX,
  byteOrders,
  dataTypes,
  parities,
  qualities,
  RETRIES_MAX,
  reportTypes,
  SLAVE_ID_MAX,
  SLOT_MAX,
  slaveStates,
  VARIABLES_MAX,
} from './fields.ts'

/** Older reports are refused; plans are kept a little longer. */
export const REPORT_DAYS_MAX = 30
export const POLL_PLANS_DAYS = REPORT_DAYS_MAX + 1

/** Of one gateway. Each host and port of Modbus TCP is a bus of its own. */
export const BUSES_MAX = 512
export const TERMINALS_MAX = 247 * 4

export const slot = z.int().min(0).max(SLOT_MAX)
const terminalId = z.int().min(1).max(2_147_483_647)
export const planRevision = z.int().min(1).max(2_147_483_647)

/** A line that several slaves share: one request at a time. */
export const planBus = z.object({
  kind: z
    .enum(['rtu', 'tcp', 'rtuTcp', 'own'])
    .describe('own: inputs and outputs of the gateway itself, see below; only with the feature `interfaces`'),
  host: deviceText(253).optional().describe('tcp and rtuTcp'),
  port: z.int().min(1).max(65_535).optional().describe('tcp and rtuTcp'),
  serial: deviceText(253).optional().describe('rtu: name of the port, e.g. `bus1` or `/dev/ttyS1`'),
  serialPort: z.int().min(1).max(64).optional().describe('rtu: where the gateway numbers its ports'),
  baud: z.int().min(300).max(921_600).optional(),
  parity: z.enum(parities).optional(),
  dataBits: z.int().min(7).max(8).optional(),
  stopBits: z.int().min(1).max(2).optional(),
  pauseMs: z.int().min(0).max(10_000).default(0).describe('between two requests'),
  connectDelayMs: z.int().min(0).max(10_000).default(0).describe('between connecting and the first request'),
})
export type PlanBus = z.output<typeof planBus>

/** One request: it covers whole values only. */
export const planRead = z.object({
  fn: z.literal([1, 2, 3, 4]),
  address: z.int().min(0).max(ADDRESS_MAX),
  count: z.int().min(1).max(2_000).describe('registers, or bits with functions 1 and 2'),
  everyMs: z.int().min(100).max(86_400_000),
  bus: z
    .int()
    .min(0)
    .max(BUSES_MAX - 1)
    .optional()
    .describe('index in `buses`, where it is not that of the terminal: one of kind `own`'),
})
export type PlanRead = z.output<typeof planRead>

export const planVariable = z.object({
  slot,
  read: z.int().min(0).describe('index of its request in `reads`'),
  at: z.int().min(0).max(1_999).describe('registers (or bits) after the address of the request'),
  type: z.enum(dataTypes),
  order: z.enum(byteOrders),
  bit: z
    .int()
    .min(0)
    .max(15)
    .optional()
    .describe('of bit and bits: the first one, 0 is the least significant'),
  length: z.int().min(1).max(125).optional().describe('bits of `bits`, registers of `text` and `mod10k`'),
  powerAt: z
    .int()
    .min(0)
    .max(124)
    .optional()
    .describe(
      'SunSpec: the register of the same request, as int16, whose power of ten the value is multiplied by',
    ),
  noValue: deviceText(16)
    .optional()
    .describe('raw bytes that mean "no value", as hexadecimal digits in the order ABCD'),
  report: z.enum(reportTypes),
  cycleMs: z.int().min(100).max(86_400_000),
  deadband: z.number().min(0).optional().describe('in raw units; absent or 0: every difference is reported'),
  minIntervalMs: z.int().min(0).max(86_400_000).optional(),
})
export type PlanVariable = z.output<typeof planVariable>

export const planTerminal = z.object({
  t: terminalId,
  bus: z.int().min(0).describe('index in `buses`'),
  unit: z.int().min(0).max(SLAVE_ID_MAX),
  timeoutMs: z.int().min(50).max(30_000),
  retries: z.int().min(0).max(RETRIES_MAX),
  reads: z.array(planRead).max(VARIABLES_MAX),
  vars: z.array(planVariable).max(VARIABLES_MAX),
})
export type PlanTerminal = z.output<typeof planTerminal>

/** Everything that a gateway polls. An empty `terminals` stops polling. */
export const planDocument = z.object({
  revision: planRevision,
  buses: z.array(planBus).max(BUSES_MAX),
  terminals: z.array(planTerminal).max(TERMINALS_MAX),
})
export type PlanDocument = z.output<typeof planDocument>

/** A number as the gateway decoded it; 64-bit integers beyond 2^53 and texts travel as text. */
const rawValue = z.union([z.number(), deviceText(250), z.null()])

/** One report: the values of one terminal that were read within a second. One row in the database. */
export const variablesReport = z.object({
  plan: planRevision.describe('the revision that these values were read by'),
  t: terminalId,
  at: deviceTime.describe('when the answers came; two reports of a terminal with the same `at` are one'),
  i: z.array(slot).min(1).max(VARIABLES_MAX).describe('slots of the plan'),
  v: z.array(rawValue).min(1).max(VARIABLES_MAX).describe('raw values in the order of `i`; null: see `q`'),
  q: z
    .array(
      z
        .int()
        .min(0)
        .max(qualities.length - 1),
    )
    .max(VARIABLES_MAX)
    .optional()
    .describe('quality of each value; absent: all good'),
  late: z.boolean().optional().describe('true: buffered while offline, sent after live values'),
  dropped: z
    .object({ n: z.int().min(1).max(2_147_483_647), from: deviceTime, to: deviceTime })
    .optional()
    .describe('reports of this terminal that no longer fitted into the buffer'),
})
export type VariablesReport = z.output<typeof variablesReport>

/** The result of applying a plan; and the state of all terminals, whenever a slave stops or starts responding. */
export const collectionReport = z.object({
  at: deviceTime,
  plan: planRevision.nullable().describe('the plan that runs; null: none'),
  refused: z
    .object({ plan: planRevision, reason: deviceText(200) })
    .optional()
    .describe('a plan that it cannot run; the former one continues'),
  slaves: z
    .array(
      z.object({
        t: terminalId,
        state: z.enum(slaveStates),
        since: deviceTime,
        missed: z
          .int()
          .min(0)
          .optional()
          .describe('cycles that were skipped since the start, for lack of time'),
      }),
    )
    .max(TERMINALS_MAX),
})
