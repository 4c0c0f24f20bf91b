/** Shared by the four reports: filters, ranges, and the layout of responses. */

import { z } from 'zod'
import { signalDbm } from '../device/figures/signal-dbm.ts'
import { because } from '../kit/fault.ts'
import { field } from '../kit/field.ts'
import { storable } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { rowId } from '../kit/row-id.ts'
import { isTimeZone } from '../kit/rules.ts'
import { shaped } from '../kit/shape.ts'
import { askedDay, instant } from '../kit/time.ts'

export const reportSchedulePermission = permission({
  id: 8001,
  name: 'reportSchedule',
  role: 'operator',
  under: 'online-report',
})

export const reportKinds = ['online', 'traffic', 'signal', 'version'] as const
export type ReportKind = (typeof reportKinds)[number]

/**
 * `7d` and `30d` are calendar days including today; `24h` are the hours up to now; `yesterday`, `lastWeek` (Monday to
 * Sunday) and `lastMonth` are complete.
 */
export const reportRanges = [
  'today',
  'yesterday',
  '24h',
  '7d',
  'lastWeek',
  '30d',
  'month',
  'lastMonth',
  'custom',
] as const
export type ReportRange = (typeof reportRanges)[number]

/** Longest range asked for at once. */
export const RANGE_DAYS_MAX = 366
/** Ranges up to this length are shown by hour. */
export const HOURLY_DAYS_MAX = 8
/**
 * Up to this length devices of one customer are summed by hours, and a single device is shown from raw data; longer
 * ranges, or those of all customers, by days of UTC.
 */
export const EXACT_DEVICES_DAYS = 2

/** A time zone's name as browsers give it. */
export const zoneName = field(
  z
    .string()
    .max(64)
    .regex(shaped(/^[A-Za-z0-9_+\-/]+$/, 'timeZone'))
    .refine(isTimeZone, because({ reason: 'format', shape: 'timeZone' })),
  { rule: 'timeZone' },
)

export const reportBody = z.object({
  range: z.enum(reportRanges).default('7d'),
  from: askedDay.optional().describe('custom: the first day'),
  to: askedDay.optional().describe('custom: the last day'),
  zone: zoneName.default('UTC').describe('whose midnights divide the days'),
  groupId: rowId.optional().describe('this group and those below it'),
  deviceId: rowId.optional(),
  model: storable(z.string().max(64)).optional(),
  previous: z.boolean().default(false).describe('also the same length of time before'),
})
export type ReportBody = z.output<typeof reportBody>

/** Bands of a device's average signal. */
export const signalBands = signalDbm.bands

const values = z.array(z.number().nullable()).describe('one per bucket; null: not known')
/** Buckets of time, each with one value per series. */
export const seriesOf = <const N extends readonly string[]>(names: N) =>
  z.object(Object.fromEntries(names.map((name) => [name, values])) as Record<N[number], typeof values>)

/** The fields of every report over time. */
export const reportFrame = {
  from: instant,
  to: instant,
  zone: z.string().describe('of the days: the requested one, or UTC if only daily sums are kept'),
  step: z.enum(['tenMinutes', 'hour', 'day']),
  at: z.array(instant).describe('start of each bucket'),
  previousFrom: instant.nullable(),
  /** The range that the lists of devices cover. */
  devicesFrom: instant,
  devicesTo: instant,
}

export const reportGroup = {
  groupId: z.number(),
  groupName: z.string(),
  customerName: z.string(),
  devices: z.number(),
}
export const reportDevice = {
  deviceId: z.number(),
  groupId: z.number(),
  deviceSn: z.string(),
  deviceName: z.string(),
  groupName: z.string(),
}
/** Rows of the tables below a chart. */
export const GROUPS_SHOWN = 100
export const DEVICES_SHOWN = 10
