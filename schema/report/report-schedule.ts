/** Reports sent by mail as CSV, daily, weekly or monthly. */

import { z } from 'zod'
import { deletes, edits, makes, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { field } from '../kit/field.ts'
import { job, LONG_DEADLINE_MS } from '../kit/job.ts'
import { listCall } from '../kit/list.ts'
import type { Permission } from '../kit/permission.ts'
import { line } from '../kit/person.ts'
import { languages } from '../kit/refusal.ts'
import { rowId } from '../kit/row-id.ts'
import { shaped } from '../kit/shape.ts'
import { instant } from '../kit/time.ts'
import { onlineReportPermission } from './online-report.ts'
import { recipientStates } from './recipient.ts'
import {
  type ReportKind,
  reportBody,
  reportKinds,
  reportRanges,
  reportSchedulePermission,
  zoneName,
} from './report.ts'
import { reportScheduleObject } from './report-schedule-object.ts'
import { signalReportPermission } from './signal-report.ts'
import { trafficReportPermission } from './traffic-report.ts'
import { versionReportPermission } from './version-report.ts'

export const scheduleEvery = ['day', 'week', 'month'] as const
export type ScheduleEvery = (typeof scheduleEvery)[number]

/**
 * Why a schedule stopped by itself: its owner is disabled, belongs to another customer, or may no longer see the
 * report; or its group or device is no longer visible to the owner.
 */
export const scheduleStops = ['ownerDisabled', 'ownerMoved', 'ownerNotAllowed', 'targetGone'] as const
export type ScheduleStop = (typeof scheduleStops)[number]

export const RECIPIENTS_MAX = 20
/** Limit per owner. */
export const SCHEDULES_MAX = 50

/** The permission that the owner needs for each report, besides scheduling. */
export const reportPermissions = {
  online: onlineReportPermission,
  traffic: trafficReportPermission,
  signal: signalReportPermission,
  version: versionReportPermission,
} as const satisfies Record<ReportKind, Permission>

const address = z.string().trim().toLowerCase().max(254).pipe(z.email())
const timeOfDay = z.string().regex(shaped(/^([01]\d|2[0-3]):[0-5]\d$/, 'clockTime'))

/** Relative ranges only: with fixed days every mail would be the same. */
export const scheduleRanges = reportRanges.filter((range) => range !== 'custom')

const fields = {
  range: z.enum(scheduleRanges),
  name: line(64).min(1),
  every: z.enum(scheduleEvery),
  weekday: z.coerce.number().int().min(1).max(7).default(1).describe('of a weekly one: 1 Monday to 7 Sunday'),
  monthDay: z.coerce
    .number()
    .int()
    .min(1)
    .max(31)
    .default(1)
    .describe('of a monthly one; a shorter month: its last'),
  at: timeOfDay.describe('local time of day, HH:MM'),
  zone: zoneName,
  recipients: z.array(address).min(1).max(RECIPIENTS_MAX),
  enabled: field(z.boolean(), { label: 'report-schedule:enabled' }).default(true),
}
const asked = reportBody.shape

export const getReportScheduleList = listCall({
  path: '/api/report/getReportScheduleList',
  permission: reportSchedulePermission,
  summary: 'Scheduled reports: one’s own; administrators see those of their customer.',
  sorts: ['name', 'nextRunAt'],
  searches: ['name'],
  filters: { report: z.enum(reportKinds).optional(), id: rowId.optional() },
  row: z.object({
    id: z.number(),
    name: z.string(),
    report: z.enum(reportKinds),
    range: z.enum(scheduleRanges),
    groupName: z.string().nullable().describe('null: all groups'),
    deviceSn: z.string().nullable(),
    model: z.string().nullable(),
    every: z.enum(scheduleEvery),
    weekday: z.number(),
    monthDay: z.number(),
    at: z.string(),
    zone: z.string(),
    language: z.enum(languages),
    recipients: z.array(z.string()),
    recipientStates: z
      .array(z.object({ email: z.string(), state: z.enum(recipientStates) }))
      .describe('only to `known` and `confirmed` ones it is sent'),
    enabled: z.boolean(),
    stopped: z.enum(scheduleStops).nullable(),
    owner: z.string(),
    heldUntil: instant.nullable().describe('the mail budget of its customer is used up until then'),
    nextRunAt: instant,
    lastRunAt: instant.nullable(),
    edition,
  }),
})

export const addReportSchedule = call({
  path: '/api/report/addReportSchedule',
  permission: reportSchedulePermission,
  writes: true,
  about: makes(reportScheduleObject, { by: 'id', named: 'name' }),
  summary:
    'Mails a report with these filters from now on. It contains what its owner may see at that time, and stops when they no longer may. Addresses that are neither a user’s nor a contact’s must confirm first.',
  body: z.object({
    report: z.enum(reportKinds),
    groupId: asked.groupId,
    deviceId: asked.deviceId,
    model: asked.model,
    ...fields,
  }),
  reply: z.object({ id: z.number() }),
})

export const modifyReportSchedule = call({
  path: '/api/report/modifyReportSchedule',
  permission: reportSchedulePermission,
  writes: true,
  about: edits(reportScheduleObject, 'id'),
  summary:
    'Changes range, times and recipients; group, device and model are unchanged. Enabling one that stopped retries it.',
  body: z.object({ id: rowId, ...fields, edition: openedEdition }),
})

export const deleteReportSchedule = call({
  path: '/api/report/deleteReportSchedule',
  permission: reportSchedulePermission,
  writes: true,
  about: deletes(reportScheduleObject, 'id'),
  summary: 'Ends a scheduled report.',
  body: z.object({ id: rowId }),
})

export const sendReportNow = call({
  path: '/api/report/sendReportNow',
  permission: reportSchedulePermission,
  writes: true,
  about: uses(reportScheduleObject, 'id'),
  summary:
    'Sends a scheduled report within a minute, in addition to its times, to the recipients who have confirmed; refused if none has.',
  body: z.object({ id: rowId }),
})

/** Sends due reports; one missed while the platform was down is sent once. */
export const sendReports = job({
  name: 'sendReports',
  body: z.object({}),
  single: true,
  everyMs: 30_000,
  deadlineMs: LONG_DEADLINE_MS,
})
