/** Newest values as they change: one stream per browser tab [decisions/123]. */

import { z } from 'zod'
import { call } from '../kit/call.ts'
import { rowId } from '../kit/row-id.ts'
import { instant } from '../kit/time.ts'
import { qualities, slaveStates } from './fields.ts'
import { variableListPermission } from './variable-pages.ts'

/** Variables of one stream: more than fit on a screen. */
export const WATCHED_MAX = 1_000
/** Then the client opens a new stream. */
export const STREAM_MAX_S = 3_600

export const liveValue = z.object({
  terminalId: z.number(),
  variableId: z.number(),
  at: instant.nullable(),
  value: z.number().nullable(),
  text: z.string().nullable(),
  quality: z.enum(qualities).nullable(),
  stale: z.boolean(),
  goodAt: instant.nullable(),
  goodValue: z.number().nullable(),
  deviceOnline: z.boolean(),
  slaveState: z.enum(slaveStates).nullable(),
})

export const watchValues = call({
  path: '/api/variable/watchValues',
  permission: variableListPermission,
  carrier: 'events',
  summary:
    'The newest values of variables, then those that change, once a second at most. Variables that the actor may not see are left out.',
  body: z.object({
    terminalIds: z.array(rowId).max(WATCHED_MAX).default([]),
    variableIds: z.array(rowId).max(WATCHED_MAX).default([]).describe('of the terminal at the same place'),
    seconds: z
      .number()
      .int()
      .min(0)
      .max(STREAM_MAX_S)
      .default(0)
      .describe('how long changes are wanted; 0: only the newest values'),
  }),
  reply: z.object({ values: z.array(liveValue) }).describe('one event `values`'),
})
