/** Messages of variable collection: the plan is sent to the gateway; values and slave states are reported by it. */
import { z } from 'zod'
import { job, LONG_DEADLINE_MS } from '../kit/job.ts'
import { downlink, uplink } from '../kit/message.ts'
import { collectionReport, planDocument, variablesReport } from './wire.ts'

/** In `hello.features` of a gateway that polls. */
export const COLLECTION_FEATURE = 'collection'
/** In `hello.features` of a gateway that also serves its own inputs and outputs. */
export const INTERFACES_FEATURE = 'interfaces'

/** A larger document would not fit into one packet of the broker. */
export const PLAN_BYTES_MAX = 240_000

export const plan = downlink({
  name: 'plan',
  summary:
    'Everything that the gateway is to poll. It replaces the former plan as a whole; no terminals: polling ends. Store it durably, then answer with `collection`.',
  payload: planDocument,
  example: {
    revision: 12,
    buses: [
      { kind: 'rtu', serial: 'bus1', baud: 9600, parity: 'even', dataBits: 8, stopBits: 1, pauseMs: 50 },
      { kind: 'tcp', host: '192.168.1.40', port: 502 },
    ],
    terminals: [
      {
        t: 7,
        bus: 0,
        unit: 1,
        timeoutMs: 1000,
        retries: 2,
        reads: [{ fn: 3, address: 0, count: 6, everyMs: 5000 }],
        vars: [
          {
            slot: 0,
            read: 0,
            at: 0,
            type: 'float32',
            order: 'CDAB',
            report: 'both',
            cycleMs: 60_000,
            deadband: 0.5,
          },
          { slot: 1, read: 0, at: 4, type: 'uint32', order: 'ABCD', report: 'cycle', cycleMs: 5000 },
        ],
      },
      {
        t: 9,
        bus: 1,
        unit: 1,
        timeoutMs: 1000,
        retries: 1,
        reads: [{ fn: 1, address: 16, count: 1, everyMs: 1000 }],
        vars: [{ slot: 0, read: 0, at: 0, type: 'bool', order: 'ABCD', report: 'change', cycleMs: 1000 }],
      },
    ],
  },
})

export const variables = uplink({
  name: 'variables',
  class: 'hot',
  maxBytes: 65_536,
  summary: 'The values of one terminal that were read within a second: raw, as decoded, in columns.',
  payload: variablesReport,
  example: { plan: 12, t: 7, at: 1795226400000, i: [0, 1], v: [230.5, 4_211_907], q: [0, 0] },
})

export const collection = uplink({
  name: 'collection',
  class: 'report',
  maxBytes: 131_072,
  summary:
    'How the gateway took its plan, and which slaves answer. Sent after each connect, after each plan, and when a slave stops or starts answering.',
  payload: collectionReport,
  example: {
    at: 1795226400000,
    plan: 12,
    slaves: [
      { t: 7, state: 'answering', since: 1795226100000, missed: 0 },
      { t: 9, state: 'silent', since: 1795226390000, missed: 3 },
    ],
  },
})

/** Compiles the plans of gateways whose equipment has changed, and sends those that a gateway does not run yet. */
export const drivePlans = job({ name: 'drivePlans', body: z.object({}), single: true, everyMs: 2_000 })

/** Removes the reports of terminals that were deleted, alone or with their gateway. */
export const removeReports = job({
  name: 'removeReports',
  body: z.object({}),
  single: true,
  everyMs: 300_000,
  deadlineMs: LONG_DEADLINE_MS,
})

/** Sums the hours of terminals for which reports were stored, those that come late included. */
export const rollUpVariables = job({
  name: 'rollUpVariables',
  body: z.object({}),
  single: true,
  everyMs: 10_000,
  deadlineMs: LONG_DEADLINE_MS,
})
