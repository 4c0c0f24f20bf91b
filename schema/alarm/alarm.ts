/** [§3 Alarm record] Current and past alarms: active or cleared, acknowledged or not, processed or not. */

import { z } from 'zod'
import { deletes, finds, makes, object } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { because } from '../kit/fault.ts'
import { listCall, storable } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { askedTime, deviceZone, instant } from '../kit/time.ts'
import { operators } from '../monitor/notice/operators.ts'
import type { AlarmCondition } from '../monitor/notice/variable-condition.ts'
import { alarmKindNames, severities } from './alarm-kind.ts'
import { ownerId } from './owner-id.ts'

export const alarmObject = object('alarm')
export const noteTemplateObject = object('noteTemplate')

export const alarmListPermission = permission({
  id: 3300,
  name: 'alarmList',
  role: 'viewer',
  under: 'alarm-list',
})
export const alarmHandlePermission = permission({
  id: 3301,
  name: 'alarmHandle',
  role: 'operator',
  under: 'alarm-list',
})
export const alarmHistoryPermission = permission({
  id: 3100,
  name: 'alarmHistory',
  role: 'viewer',
  under: 'alarm-history',
})

/** Why an alarm ended: the value is normal again; a user handled it; the device is no longer monitored. */
export const endReasons = ['recovered', 'handled', 'uncovered', 'ruleOff', 'deviceDeleted'] as const
/**
 * The common cause of a mass outage: the devices' public address (their gateway), carrier, group, or only the rule.
 */
export const outageGrounds = ['address', 'carrier', 'group', 'rule'] as const
export type OutageGround = (typeof outageGrounds)[number]
/** What receivers were notified of: nothing, the start, the end (or no notice is needed). */
export const notifiedStates = ['nothing', 'alert', 'all'] as const

/** A condition that returns within this time is the same alarm again. */
export const FLAP_WINDOW_MS = 3_600_000
/** After a return, start or end is notified only after it has lasted this long. */
export const SETTLE_MS = 300_000
/** Offline alarms wait this long for others with the same cause. */
export const OUTAGE_GATHER_MS = 30_000
/** Number of devices lost together that are one outage; and without a common cause. */
export const OUTAGE_MIN = 5
export const OUTAGE_MIN_UNRELATED = 20
/** Later losses with the same cause join the outage. */
export const OUTAGE_WINDOW_MS = 300_000
/** Older values are ignored: late data raises no alarm. */
export const STALE_MS = 300_000
/** After an outage of the platform devices get this long to reconnect before their absence counts. */
export const RETURN_GRACE_MS = 60_000

/** Why the value of a variable in alarm is unknown: its gateway is offline, or its terminal does not respond. */
export const unknownReasons = ['gatewayOffline', 'terminalSilent'] as const

const alarmCondition = z.object({
  operator: z.enum(operators),
  low: z.number().nullable(),
  high: z.number().nullable(),
  bit: z.number().nullable(),
  withinS: z.number().nullable(),
  minutes: z.number().nullable(),
  forS: z.number(),
  formula: z.string().nullable(),
  unit: z.string(),
}) satisfies z.ZodType<AlarmCondition>

export const alarmRow = z.object({
  id: z.number(),
  kind: z.enum(alarmKindNames),
  severity: z.enum(severities),
  ruleId: z.number().nullable(),
  ruleName: z.string().describe('empty: no rule covers the task, and no one was notified'),
  deviceId: z.number().nullable().describe('null: it is about a task'),
  taskId: z.number().nullable().describe('the task that stopped itself'),
  sn: z.string(),
  deviceName: z.string().describe('or the task’s'),
  timeZone: deviceZone,
  groupId: z.number().nullable(),
  groupName: z.string(),
  customerName: z.string().nullable().describe('null: a task over several customers'),
  subject: z.string(),
  value: z.number().nullable(),
  threshold: z.number().nullable(),
  detail: z.string().nullable(),
  startedAt: instant,
  lastAt: instant,
  endedAt: instant.nullable(),
  endReason: z.enum(endReasons).nullable(),
  times: z.number(),
  ackAt: instant.nullable(),
  ackBy: z.string().nullable(),
  handledAt: instant.nullable(),
  handledBy: z.string().nullable(),
  note: z.string().nullable(),
  incidentId: z.number().nullable(),
  incidentName: z.string().nullable(),
  incidentGround: z.enum(outageGrounds).nullable(),
  terminalId: z
    .number()
    .nullable()
    .describe('of a variable; null: not about one, or its terminal is deleted'),
  terminalName: z.string().nullable(),
  variableName: z.string().nullable(),
  condition: alarmCondition.nullable().describe('of a variable, as it was when the alarm began'),
  unknownSince: instant.nullable().describe('since when its value is unknown: the alarm is suspended'),
  unknownWhy: z.enum(unknownReasons).nullable(),
})

export const alarmFilters = {
  severity: z.enum(severities).optional(),
  kind: z.enum(alarmKindNames).optional(),
  ack: z.enum(['acknowledged', 'open']).optional(),
  handled: z.enum(['processed', 'unprocessed']).optional(),
  ruleId: rowId.optional(),
  groupId: rowId.optional().describe('with the groups below'),
  deviceId: rowId.optional(),
  incidentId: rowId.optional(),
  customerId: ownerId,
}
export const alarmSorts = ['lastAt', 'startedAt', 'severity', 'deviceName', 'ruleName'] as const
export const alarmSearches = ['sn', 'deviceName', 'ruleName', 'terminalName', 'variableName'] as const

const alarmList = listCall({
  path: '/api/alarm/getAlarmList',
  permission: alarmListPermission,
  summary: 'Real-time alarms: those active, those just cleared, or both of the last day.',
  sorts: alarmSorts,
  descending: ['lastAt'],
  searches: alarmSearches,
  filters: {
    ...alarmFilters,
    state: z.enum(['active', 'cleared', 'all']).default('active'),
    fold: z
      .enum(['outages'])
      .optional()
      .describe('leaves out the alarms of the outages that getAlarmOutages returns'),
  },
  row: alarmRow,
})
/** Total and counts come from one statement: counts of two calls would contradict each other on the page. */
export const getAlarmList = {
  ...alarmList,
  reply: alarmList.reply.extend({
    severities: z
      .array(z.object({ value: z.enum(severities), count: z.number() }))
      .describe('of the same alarms, but of all severities'),
  }),
}
export const getAlarmHistory = listCall({
  path: '/api/alarm/getAlarmHistory',
  permission: alarmHistoryPermission,
  summary: 'Every alarm of a time, newest first.',
  sorts: alarmSorts,
  descending: ['lastAt'],
  searches: alarmSearches,
  past: true,
  filters: {
    ...alarmFilters,
    state: z.enum(['active', 'cleared']).optional(),
    from: askedTime.optional(),
    to: askedTime.optional(),
    days: z.coerce.number().int().min(1).max(3650).optional().describe('the last n days'),
  },
  row: alarmRow,
})
const counted = z.array(z.object({ value: z.string(), label: z.string(), count: z.number() }))
export const getAlarmFacets = call({
  path: '/api/alarm/getAlarmFacets',
  permission: alarmListPermission,
  summary: 'Active alarms by rule, device and group, at most 100 of each.',
  reply: z.object({ rules: counted, devices: counted, groups: counted }),
})
export const getAlarmCount = call({
  path: '/api/alarm/getAlarmCount',
  permission: alarmListPermission,
  summary:
    'Number of active alarms, by severity, and of those not acknowledged; shown by the bell and the home page.',
  reply: z.object({
    open: z.number(),
    active: z.number(),
    worst: z.enum(severities).nullable(),
    newestAt: instant.nullable(),
    severities: z
      .array(z.object({ severity: z.enum(severities), active: z.number() }))
      .describe('those with active alarms, the highest first'),
  }),
})

/** Alarms of one call. */
export const ALARMS_AT_ONCE = 1_000
/** Single alarms, or all those of an outage, which may be hundreds. */
const chosen = {
  alarmIds: z.array(rowId).max(ALARMS_AT_ONCE).default([]),
  incidentId: rowId.optional(),
}
const isSome = ({ alarmIds, incidentId }: { alarmIds: unknown[]; incidentId?: number | undefined }) =>
  alarmIds.length > 0 || incidentId !== undefined
const some = { path: ['alarmIds'], ...because({ reason: 'fewer', n: 1 }) }
export const acknowledgeAlarms = call({
  path: '/api/alarm/acknowledgeAlarms',
  permission: alarmHandlePermission,
  writes: true,
  about: finds(alarmObject, { by: 'alarmIds' }),
  summary: 'Acknowledges alarms; repeated notices stop. Cleared alarms are unchanged.',
  body: z.object(chosen).refine(isSome, some),
  reply: z.object({ changed: z.number() }),
})
export const handleAlarms = call({
  path: '/api/alarm/handleAlarms',
  permission: alarmHandlePermission,
  writes: true,
  about: finds(alarmObject, { by: 'alarmIds' }),
  summary:
    '[§4] Processed, with a note. `kept`: of those named, processed by somebody before, whose note is kept; refused if that is true of all. Acknowledges too; ends alarms that nothing else ends (a SIM switched, a new address, a drift accepted).',
  body: z.object({ ...chosen, note: storable(z.string().trim().min(1).max(1000)) }).refine(isSome, some),
  reply: z.object({ changed: z.number(), kept: z.number() }),
})

export const getNoteTemplates = call({
  path: '/api/alarm/getNoteTemplates',
  permission: alarmListPermission,
  summary: 'Notes to choose from.',
  reply: z.object({ list: z.array(z.object({ id: z.number(), text: z.string() })) }),
})
export const saveNoteTemplate = call({
  path: '/api/alarm/saveNoteTemplate',
  permission: alarmHandlePermission,
  writes: true,
  about: makes(noteTemplateObject, { named: 'text' }),
  summary: 'Stores a note for reuse, at most 50 per customer.',
  body: z.object({ text: storable(z.string().trim().min(1).max(200)) }),
})
export const deleteNoteTemplate = call({
  path: '/api/alarm/deleteNoteTemplate',
  permission: alarmHandlePermission,
  writes: true,
  about: deletes(noteTemplateObject, 'templateId'),
  summary: 'Forgets a note template.',
  body: z.object({ templateId: rowId }),
})

export const alarmScreen = screen({
  name: 'alarm-list',
  path: '/alarmMsg/currenttimewarn',
  lists: 'alarm/getAlarmList',
  menuId: 33,
  role: 'viewer',
  parent: 'fault',
  place: 10,
  area: 'management',
})
export const alarmHistoryScreen = screen({
  name: 'alarm-history',
  path: '/alarmMsg/historywarn',
  lists: 'alarm/getAlarmHistory',
  menuId: 31,
  role: 'viewer',
  parent: 'fault',
  place: 20,
  area: 'management',
})
