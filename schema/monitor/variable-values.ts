/** The newest value of each variable of each terminal, with its quality and age. */

import { z } from 'zod'
import { listCall } from '../kit/list.ts'
import { rowId } from '../kit/row-id.ts'
import { deviceZone, instant } from '../kit/time.ts'
import { accesses, dataTypes, functionTypes, qualities, slaveStates } from './fields.ts'
import { WATCHED_MAX } from './live-values.ts'
import { variableListPermission } from './variable-pages.ts'

/** good: newest value is good and not stale; bad: any other quality; stale: too old; none: nothing has come yet. */
export const valueStates = ['good', 'bad', 'stale', 'none'] as const
export type ValueState = (typeof valueStates)[number]

/** Of the small picture beside a value. */
export const TREND_HOURS = 24

export const getVariableValues = listCall({
  path: '/api/variable/getVariableValues',
  permission: variableListPermission,
  summary: 'Variables of the terminals that the actor may see, with their newest values.',
  sorts: ['terminalName', 'name', 'deviceSn', 'at'],
  descending: ['at'],
  searches: ['name', 'terminalName', 'deviceSn'],
  filters: {
    projectId: rowId.optional(),
    groupId: rowId.optional().describe('with the groups below it'),
    deviceId: rowId.optional(),
    terminalId: rowId.optional(),
    templateId: rowId.optional(),
    state: z.enum(valueStates).optional(),
    terminalIds: z.array(rowId).max(WATCHED_MAX).optional(),
    variableIds: z
      .array(rowId)
      .max(WATCHED_MAX)
      .optional()
      .describe('only these, each of the terminal at the same place'),
  },
  row: z.object({
    terminalId: z.number(),
    slot: z.number(),
    variableId: z.number(),
    templateId: z.number(),
    terminalName: z.string(),
    deviceId: z.number(),
    deviceSn: z.string(),
    deviceName: z.string(),
    deviceOnline: z.boolean(),
    timeZone: deviceZone,
    slaveState: z.enum(slaveStates).nullable().describe('as last reported; null: never'),
    name: z.string(),
    unit: z.string(),
    functionType: z.enum(functionTypes),
    dataType: z.enum(dataTypes),
    access: z.enum(accesses),
    precision: z.number(),
    min: z.number().nullable(),
    max: z.number().nullable(),
    cycleS: z.number(),
    at: instant.nullable().describe('when it was read; null: nothing has come yet'),
    value: z.number().nullable(),
    text: z.string().nullable(),
    quality: z.enum(qualities).nullable(),
    stale: z.boolean().describe('older than 2.5 cycles'),
    goodAt: instant.nullable().describe('of the newest good value, where the present one is not good'),
    goodValue: z.number().nullable(),
    trend: z
      .array(z.number().nullable())
      .describe(
        'means of the last 24 full hours, oldest first; null: not known for half of the hour. Empty: none known, or more than 200 rows were asked for',
      ),
    trendMinutes: z
      .number()
      .describe('60; or 5 for a terminal in its first hours: samples of the last two hours instead of means'),
  }),
})
