/** §2 (220): The history of up to eight variables: samples, or aggregates of minutes to days. */

import { z } from 'zod'
import { call } from '../kit/call.ts'
import { storable } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { refusal } from '../kit/refusal.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { askedTime, instant } from '../kit/time.ts'
import { zoneName } from '../report/report.ts'
import { functionTypes } from './fields.ts'

export const variableHistoryPermission = permission({
  id: 22000,
  name: 'variableHistory',
  role: 'viewer',
  under: 'variable-history',
})

export const historySteps = ['raw', 'minute', 'quarter', 'hour', 'day'] as const
export type HistoryStep = (typeof historySteps)[number]
/** In seconds; a day is one of the zone, which may have 23 or 25 hours. */
export const stepS: Readonly<Record<Exclude<HistoryStep, 'raw'>, number>> = {
  minute: 60,
  quarter: 900,
  hour: 3_600,
  day: 86_400,
}
/** What is shown of a bucket. */
export const historyFigures = ['avg', 'min', 'max', 'last', 'diff'] as const

export const SERIES_MAX = 8
/** Samples in one reply, of all variables together; of more, those that draw the same line. */
export const RAW_MAX = 10_000
/** A year of hours. */
export const BUCKETS_MAX = 9_000
/** Maximum samples that one request may make the database read. */
export const READ_MAX = 2_000_000
/** Above this number the page asks for confirmation before reading. */
export const HEAVY_ROWS = 500_000
const DAYS_MAX = 366
export const RANGE_MAX_MS = DAYS_MAX * 86_400_000

export const variableHistoryRefusals = {
  seriesMissing: refusal(755, 'variable-history:refusal.seriesMissing'),
  historyEmpty: refusal(750, 'variable-history:refusal.historyEmpty'),
  bucketsTooMany: refusal(752, 'variable-history:refusal.bucketsTooMany'),
  readTooMuch: refusal(753, 'variable-history:refusal.readTooMuch'),
  historyTooLong: refusal(754, 'variable-history:refusal.historyTooLong'),
}

/** The n-th variable of the n-th terminal. */
export const seriesPairs = {
  terminalIds: z.array(rowId).max(SERIES_MAX).default([]),
  variableIds: z.array(rowId).max(SERIES_MAX).default([]).describe('of the terminal at the same place'),
}
/** As pairs; a terminal without a variable is no series. */
export const pairsOf = (of: { terminalIds: readonly number[]; variableIds: readonly number[] }) =>
  of.terminalIds.flatMap((terminalId, i) => {
    const variableId = of.variableIds[i]
    return variableId === undefined ? [] : [{ terminalId, variableId }]
  })

const body = z.object({
  ...seriesPairs,
  from: askedTime,
  to: askedTime,
  step: z.enum(historySteps),
  zone: zoneName.default('UTC').describe('whose midnights divide the days'),
})
const values = z.array(z.number().nullable()).describe('one for each time of `at`')

const seriesNames = {
  terminalId: z.number(),
  variableId: z.number(),
  terminalName: z.string(),
  deviceName: z.string(),
  variableName: z.string(),
  unit: z.string(),
  digits: z.number(),
  functionType: z.enum(functionTypes),
}

export const getVariableHistory = call({
  path: '/api/variableHistory/getVariableHistory',
  heavy: true,
  permission: variableHistoryPermission,
  summary:
    'Values of up to eight variables over a time. A value is valid until the next one, for 2.5 cycles at most; missing and bad values are gaps.',
  body,
  reply: z.object({
    thinnedFrom: z
      .number()
      .nullable()
      .describe(
        'raw: the number of samples that were thinned to these points, which draw the same line with every peak; null: not thinned',
      ),
    lost: z
      .array(z.object({ terminalId: z.number(), from: instant, to: instant, reports: z.number() }))
      .describe('reports that no longer fitted into the buffer of a gateway that was offline; at most 100'),
    at: z
      .array(instant)
      .describe('raw: times of samples, and of the end of their validity; else the start of each bucket'),
    series: z.array(
      z.object({
        ...seriesNames,
        avg: values.describe('weighed by time; null if known for less than half of the bucket. Raw: empty'),
        min: values,
        max: values,
        last: values.describe('raw: the value that is valid at that time'),
        diff: values.describe(
          'of a meter, else null: what it grew by; one reading that fell and came back is left out, an overflow of its registers is counted, a reset begins at 0',
        ),
        quality: values.describe('raw: the code of the sample of that time; else samples of bad quality'),
      }),
    ),
  }),
})

export const estimateVariableHistory = call({
  path: '/api/variableHistory/estimateVariableHistory',
  permission: variableHistoryPermission,
  summary: 'What getVariableHistory would read, and about how long it would take; nothing of it is read.',
  body,
  reply: z.object({
    samples: z
      .number()
      .describe(
        'as counted by the hour, and by the cycle where hours are not summed yet; sums count as none',
      ),
    seconds: z.number().describe('of this server, by what it has read lately'),
    tooMany: z.boolean().describe('getVariableHistory would refuse; the CSV file has no limit'),
  }),
})

export const exportVariableHistory = call({
  path: '/api/variableHistory/exportVariableHistory',
  heavy: true,
  permission: variableHistoryPermission,
  carrier: 'download',
  summary: 'The same as CSV, one line for each value; samples without a limit to their number.',
  body,
})

export const getHistoryChoices = call({
  path: '/api/variableHistory/getHistoryChoices',
  permission: variableHistoryPermission,
  summary: 'Variables of terminals to choose from, at most 50, after those already chosen.',
  body: z.object({
    search: storable(z.string().trim().max(100)).optional(),
    ...seriesPairs,
  }),
  reply: z.object({ list: z.array(z.object(seriesNames)) }),
})

export const variableHistoryScreen = screen({
  name: 'variable-history',
  path: '/cloudMonitor/statisticalReports/historyRecords',
  menuId: 220,
  role: 'viewer',
  permission: variableHistoryPermission,
  parent: 'monitorReport',
  place: 10,
  area: 'monitor',
})
