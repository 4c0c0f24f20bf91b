/** Operation log: who did what, to which object, with the values before and after, from where, with what result. */

import { z } from 'zod'
import { bodyLimits, call } from '../kit/call.ts'
import { because } from '../kit/fault.ts'
import { listCall, storable } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { askedTime, instant } from '../kit/time.ts'
import { zoneName } from '../report/report.ts'
import { transportRefusals } from './transport-refusals.ts'

export const operationLogPermission = permission({
  id: 90100,
  name: 'operationLog',
  role: 'customerAdmin',
  under: 'operation-log',
})

/** Id in a bigint column. */
const logId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER)

/** Hours back from now. */
export const logPeriods = ['1', '24', '168', '720'] as const

/** Filters of both logs. */
export const logFilters = {
  userId: rowId.optional(),
  customerId: rowId.optional(),
  period: z.enum(logPeriods).optional().describe('hours back from now'),
  from: askedTime.optional(),
  to: askedTime.optional(),
}

/** `fault`: the platform itself failed; it is in the server's log with the request id. */
export const operationResults = ['done', 'refused', 'fault'] as const
const FAULTS_FROM = 500
/** The codes of faults; all others are refusals, whose codes may be higher, and 0 is neither. */
export const faultCodes: readonly number[] = Object.values(transportRefusals).flatMap(({ code }) =>
  code >= FAULTS_FROM ? [code] : [],
)

const filters = {
  ...logFilters,
  call: storable(z.string().max(100)).optional(),
  deviceId: rowId.optional(),
  objectKind: storable(z.string().max(64)).optional(),
  result: z.enum(operationResults).optional(),
}

export const operationRow = z.object({
  id: z.number(),
  at: instant,
  userId: z.number().nullable(),
  username: z.string().nullable(),
  /** The user is a platform user, who is not named to customers. */
  platform: z.boolean(),
  customerName: z.string().nullable(),
  call: z.string(),
  object: z.string().nullable(),
  objectKind: z.string().nullable().describe('kind of the objects, as the call declares it'),
  objectIds: z.array(z.string()).describe('their ids; of a long list the first 50'),
  result: z.enum(operationResults),
  code: z.number(),
  ip: z.string().nullable(),
  changes: z.boolean().describe('before or after is known'),
})

export const getOperationList = listCall({
  path: '/api/log/getOperationList',
  permission: operationLogPermission,
  summary: 'Operation log, newest first.',
  sorts: ['at'],
  descending: ['at'],
  searches: ['call', 'object', 'username', 'ip'],
  past: true,
  filters,
  row: operationRow,
})

export const getOperation = call({
  path: '/api/log/getOperation',
  permission: operationLogPermission,
  summary: 'One entry of the operation log, whole; secrets were struck out when it was written.',
  body: z.object({ id: logId }),
  reply: operationRow.extend({
    body: z.unknown(),
    before: z.unknown(),
    after: z.unknown(),
    requestId: z.string().nullable(),
    reason: z
      .string()
      .nullable()
      .describe('why it was refused: the text of its code, without what it was about'),
  }),
})

export const getWritingCalls = call({
  path: '/api/log/getWritingCalls',
  permission: operationLogPermission,
  summary: 'Names of the calls that are logged, for the filter.',
  reply: z.object({ list: z.array(z.string()) }),
})

export const exportOperations = call({
  path: '/api/log/exportOperations',
  bodyLimit: bodyLimits.selection,
  permission: operationLogPermission,
  carrier: 'download',
  summary: 'The operation log as CSV, with the filters of the list.',
  body: getOperationList.body.omit({ offset: true, limit: true, sort: true, order: true }).extend({
    columns: z.array(z.string().max(64)).max(50).optional(),
    zone: zoneName.default('UTC').describe('by whose clocks the times are'),
    callNames: z
      .record(z.string().max(100), storable(z.string().max(100)))
      .refine((names) => Object.keys(names).length <= 500, because({ reason: 'more', n: 500 }))
      .optional()
      .describe('how the reader calls the calls; one without stays as it is'),
  }),
})

export const operationLogScreen = screen({
  name: 'operation-log',
  path: '/system/operationlog',
  lists: 'log/getOperationList',
  menuId: 901,
  role: 'customerAdmin',
  permission: operationLogPermission,
  parent: 'system',
  place: 70,
  area: 'management',
})
