/**
 * Scheduled reboots. The platform's scheduler runs them, or the device itself when the platform cannot be reached;
 * the scheduled time is the key of a run, so that it happens once [decision 035].
 */

import { z } from 'zod'
import { edits } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { labelled } from '../kit/field.ts'
import { job } from '../kit/job.ts'
import { listCall } from '../kit/list.ts'
import { uplink } from '../kit/message.ts'
import { rowId } from '../kit/row-id.ts'
import { shaped } from '../kit/shape.ts'
import { askedDay, deviceTime, instant } from '../kit/time.ts'
import { deviceSchedulePermission } from './commands/schedule.ts'
import { deviceObject } from './device-object.ts'
import { deviceDetailPermission } from './device-pages.ts'
import { deviceText } from './hello.ts'

export const scheduleKinds = ['once', 'daily', 'weekly'] as const
export type ScheduleKind = (typeof scheduleKinds)[number]

/** `sent`: the command was sent. `waiting`: the device is offline; it may run by itself and will report it. */
export const runStates = ['sent', 'waiting', 'done', 'missed', 'failed'] as const
export type RunState = (typeof runStates)[number]
export const runMakers = ['platform', 'device'] as const
/** Why a run was missed, if known. */
export const missReasons = ['offline', 'silent', 'upgrading', 'platformDown'] as const
export type MissReason = (typeof missReasons)[number]

/** After this time the device may be about to reboot by itself, so nothing is sent. */
export const SEND_WITHIN_MS = 30_000
/** The device must not start later: after its own waiting time it reboots by itself. */
export const BEGIN_WITHIN_MS = 45_000
/**
 * A device that rebooted by itself reports it when it is back; without a report in this time the run was missed. A
 * later report corrects it.
 */
export const RUN_GRACE_MS = 15 * 60_000

export const runSchedules = job({
  name: 'runSchedules',
  body: z.object({}),
  single: true,
  everyMs: 5_000,
})

export const scheduleRun = uplink({
  name: 'scheduleRun',
  class: 'report',
  summary:
    'A scheduled moment was run by the device itself, without the platform. Sent after the boot that it caused, again until it is acknowledged.',
  payload: z.object({
    dueAt: deviceTime.describe('the moment, as in setSchedule'),
    at: deviceTime.describe('when it went down'),
    result: z.enum(['done', 'failed']),
    detail: deviceText(200).optional(),
  }),
  example: { dueAt: 1795284000000, at: 1795284060120, result: 'done' },
})

const clock = z.string().regex(shaped(/^([01]\d|2[0-3]):[0-5]\d$/, 'clockTime'))
const weekday = z.coerce.number().int().min(1).max(7)

export const getSchedule = call({
  path: '/api/schedule/getSchedule',
  permission: deviceDetailPermission,
  summary: 'The scheduled reboot of one device, when it runs next, and whether the device knows of it.',
  body: z.object({ deviceId: rowId }),
  reply: z.object({
    schedule: z
      .object({
        kind: z.enum(scheduleKinds),
        date: z.string().nullable(),
        time: z.string(),
        weekdays: z.array(z.number()).describe('1 Monday … 7 Sunday'),
        timeZone: z.string(),
        enabled: z.boolean(),
        nextRunAt: instant.nullable(),
        updatedAt: instant,
        updatedBy: z.string().nullable(),
        known: z
          .boolean()
          .describe('the device has stored this schedule and would run it without the platform'),
        knownUntil: instant.nullable().describe('the last restart time that was sent to the device'),
      })
      .nullable(),
    edition,
  }),
})

export const saveSchedule = call({
  path: '/api/schedule/saveSchedule',
  permission: deviceSchedulePermission,
  writes: true,
  about: edits(deviceObject, 'deviceId', 'schedule'),
  summary:
    'Sets the scheduled reboot of one device: once on a date, daily, or on days of the week, by a time zone.',
  body: z.object(
    labelled(
      {
        deviceId: rowId,
        enabled: z.boolean().default(true),
        kind: z.enum(scheduleKinds),
        date: askedDay.optional().describe('for `once`'),
        time: clock,
        weekdays: z.array(weekday).max(7).default([]).describe('for `weekly`; 1 Monday … 7 Sunday'),
        timeZone: z.string().min(1).max(64).describe('IANA name, e.g. Asia/Shanghai'),
        edition: openedEdition,
      },
      {
        enabled: 'detail:schedule.enabled',
        kind: 'detail:schedule.kind',
        date: 'detail:schedule.date',
        time: 'detail:schedule.time',
        weekdays: 'detail:schedule.days',
        timeZone: 'detail:schedule.zone',
      },
    ),
  ),
  reply: z.object({ nextRunAt: instant.nullable() }),
})

export const getScheduleRuns = listCall({
  path: '/api/schedule/getScheduleRuns',
  permission: deviceDetailPermission,
  summary: 'Scheduled reboots of one device that were due, and what came of each, newest first.',
  sorts: ['dueAt'],
  descending: ['dueAt'],
  filters: { deviceId: rowId, state: z.enum(runStates).optional() },
  row: z.object({
    id: z.number(),
    dueAt: instant,
    state: z.enum(runStates),
    by: z.enum(runMakers).nullable(),
    reason: z.string().nullable().describe('a reason why it was missed, or the words of the device'),
    endedAt: instant.nullable(),
  }),
})
