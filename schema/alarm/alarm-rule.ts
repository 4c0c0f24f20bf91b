/** [§3 Alarm notice] Rules: what is monitored, on which devices, and who is notified. */

import { z } from 'zod'
import { deletes, edits, makes, object, reads } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { labelled } from '../kit/field.ts'
import { job } from '../kit/job.ts'
import { listCall, storable } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { line } from '../kit/person.ts'
import { languages } from '../kit/refusal.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { instant } from '../kit/time.ts'
import { customerObject } from '../people/customer-object.ts'
import { alarmKindNames, deviceKindNames, severities } from './alarm-kind.ts'
import { ownerId } from './owner-id.ts'
import { clockTime, timeZone } from './quiet.ts'

export const alarmRuleObject = object('alarmRule')

export const alarmRulesPermission = permission({
  id: 3200,
  name: 'alarmRules',
  role: 'viewer',
  under: 'alarm-rules',
})
export const alarmRuleEditPermission = permission({
  id: 3201,
  name: 'alarmRuleEdit',
  role: 'customerAdmin',
  under: 'alarm-rules',
})

export const alarmScopes = ['customer', 'groups', 'devices'] as const
export type AlarmScope = (typeof alarmScopes)[number]
/** [§3 push mechanism] */
export const pushModes = ['once', 'repeat'] as const

const noticeText = storable(z.string().trim().max(1000))

/** The part that decides when a rule fires: sufficient to count how often it would have fired. */
const condition = labelled(
  {
    kind: z.enum(deviceKindNames),
    threshold: z.coerce.number().optional(),
    recoverAt: z.coerce
      .number()
      .optional()
      .describe('hysteresis: the alarm ends only on the good side of this'),
    forMinutes: z.coerce.number().int().min(0).max(1440).default(0),
    windowMinutes: z.coerce.number().int().min(1).max(1440).optional(),
    scope: z.enum(alarmScopes),
    groupIds: z.array(rowId).max(200).default([]),
    deviceIds: z.array(rowId).max(1000).default([]),
  },
  {
    kind: 'alarm:field.kind',
    threshold: 'alarm:rule.threshold',
    recoverAt: 'alarm:rule.recoverAt',
    forMinutes: 'alarm:rule.forMinutes',
    windowMinutes: 'alarm:rule.windowMinutes',
    scope: 'alarm:rule.scopeOf',
    groupIds: 'alarm:scope.groups',
    deviceIds: 'alarm:scope.devices',
  },
)
export const ruleName = labelled({ name: line(64).min(1) }, { name: 'alarm:rule.name' })
/** Who is notified, when and how: the same for every rule, whatever it watches. */
export const ruleNotice = labelled(
  {
    severity: z.enum(severities).default('major'),
    enabled: z.boolean().default(true),
    mode: z.enum(pushModes).default('once'),
    intervalMinutes: z.coerce.number().int().min(5).max(10_080).optional(),
    contactIds: z.array(rowId).max(50).default([]),
    channelIds: z.array(rowId).max(20).default([]),
    byEmail: z.boolean().default(true),
    toUsers: z.boolean().default(false),
    quietFrom: clockTime.optional(),
    quietTo: clockTime.optional(),
    timeZone,
    alertText: noticeText.optional().describe('placeholders in braces; empty: a text of ours'),
    recoveryText: noticeText.optional(),
  },
  {
    severity: 'alarm:field.severity',
    enabled: 'alarm:rule.enabled',
    mode: 'alarm:rule.mode',
    intervalMinutes: 'alarm:rule.intervalMinutes',
    contactIds: 'alarm:rule.contacts',
    channelIds: 'alarm:rule.channels',
    byEmail: 'alarm:rule.byEmail',
    toUsers: 'alarm:rule.toUsers',
    quietFrom: 'alarm:rule.quietFrom',
    quietTo: 'alarm:rule.quietTo',
    timeZone: 'alarm:rule.timeZone',
    alertText: 'alarm:rule.alertText',
    recoveryText: 'alarm:rule.recoveryText',
  },
)
const rule = { ...ruleName, ...condition, ...ruleNotice }

/** The same in replies: how the rule notifies. */
export const noticeReply = {
  contactIds: z.array(z.number()),
  channelIds: z.array(z.number()),
  byEmail: z.boolean(),
  toUsers: z.boolean(),
  quietFrom: z.string().nullable(),
  quietTo: z.string().nullable(),
  timeZone: z.string(),
  language: z.enum(languages),
  alertText: z.string(),
  recoveryText: z.string(),
}

/** Rules of the whole customer are visible to users confined to groups, who may not change them. */
export const changeableRule = z.boolean().describe('false: it reaches beyond the groups of the caller')

const ruleRow = z.object({
  id: z.number(),
  customerId: z.number(),
  customerName: z.string(),
  name: z.string(),
  kind: z.enum(alarmKindNames),
  severity: z.enum(severities),
  enabled: z.boolean(),
  threshold: z.number().nullable(),
  recoverAt: z.number().nullable(),
  forMinutes: z.number(),
  windowMinutes: z.number().nullable(),
  scope: z.enum(alarmScopes),
  mode: z.enum(pushModes),
  intervalMinutes: z.number().nullable(),
  activeCount: z.number(),
  receivers: z.array(z.string()).describe('contacts and channels by name'),
  updatedAt: instant,
})

export const getAlarmRuleList = listCall({
  path: '/api/alarm/getAlarmRuleList',
  permission: alarmRulesPermission,
  summary: 'Alarm rules with how many alarms each has now.',
  sorts: ['name', 'kind', 'severity', 'updatedAt'],
  searches: ['name'],
  filters: {
    kind: z.enum(deviceKindNames).optional(),
    severity: z.enum(severities).optional(),
    state: z.enum(['enabled', 'disabled']).optional(),
    customerId: ownerId,
  },
  row: ruleRow.extend({
    changeable: changeableRule,
    coversNothing: z.boolean().describe('the groups or devices that it was for are all gone'),
  }),
})
export const getAlarmRule = call({
  path: '/api/alarm/getAlarmRule',
  permission: alarmRulesPermission,
  summary: 'One rule with its scope, receivers and texts.',
  body: z.object({ ruleId: rowId }),
  reply: ruleRow.omit({ activeCount: true, receivers: true }).extend({
    groups: z.array(z.object({ id: z.number(), name: z.string() })),
    devices: z.array(z.object({ id: z.number(), name: z.string() })),
    ...noticeReply,
    edition,
  }),
})
/** As a rule that is read has them: null is no limit, not one of 0 that is never passed again. */
const blanks = ['threshold', 'recoverAt', 'forMinutes', 'windowMinutes', 'intervalMinutes']

export const createAlarmRule = call({
  path: '/api/alarm/createAlarmRule',
  permission: alarmRuleEditPermission,
  writes: true,
  about: makes(alarmRuleObject, {
    by: 'id',
    named: 'name',
    of: { object: customerObject, by: 'customerId' },
  }),
  summary: 'Adds a rule. Notices are written in the language of the one who adds it.',
  body: z.object({ ...labelled({ customerId: ownerId }, { customerId: 'alarm:field.customer' }), ...rule }),
  blanks,
  reply: z.object({ id: z.number() }),
})
export const updateAlarmRule = call({
  path: '/api/alarm/updateAlarmRule',
  permission: alarmRuleEditPermission,
  writes: true,
  about: edits(alarmRuleObject, 'ruleId'),
  summary: 'Changes a rule. Its kind cannot be changed.',
  body: z.object({ ruleId: rowId, ...rule, edition: openedEdition }),
  blanks,
})
export const enableAlarmRule = call({
  path: '/api/alarm/enableAlarmRule',
  permission: alarmRuleEditPermission,
  writes: true,
  about: edits(alarmRuleObject, 'ruleId'),
  summary: 'Switches a rule on or off; switching off ends its alarms.',
  body: z.object({ ruleId: rowId, enabled: z.boolean() }),
})
export const deleteAlarmRule = call({
  path: '/api/alarm/deleteAlarmRule',
  permission: alarmRuleEditPermission,
  writes: true,
  about: deletes(alarmRuleObject, 'ruleId'),
  summary: 'Deletes a rule and ends its alarms; the history stays.',
  body: z.object({ ruleId: rowId }),
})
export const previewAlarmRule = call({
  path: '/api/alarm/previewAlarmRule',
  about: reads(customerObject, 'customerId'),
  permission: alarmRulesPermission,
  summary: 'How often such a rule would have fired in the last seven days, from what is kept.',
  body: z.object({ customerId: ownerId, ...condition }),
  blanks,
  reply: z.object({
    /** False without history: then no count is shown. */
    known: z.boolean(),
    fired: z.number(),
    devices: z.number().describe('that would have fired'),
    covered: z.number().describe('devices in the scope'),
    examined: z.number().describe('devices whose history was read; large scopes are sampled'),
    worst: z.array(z.object({ sn: z.string(), name: z.string(), fired: z.number() })),
  }),
})

/** Evaluates every rule; the state is in tables, so it may run late or after a restart. */
export const evaluateAlarms = job({
  name: 'evaluateAlarms',
  body: z.object({}),
  single: true,
  everyMs: 10_000,
})

export const alarmRuleScreen = screen({
  name: 'alarm-rules',
  path: '/alarmMsg/warnconfiguration',
  lists: 'alarm/getAlarmRuleList',
  menuId: 32,
  role: 'viewer',
  parent: 'fault',
  place: 30,
  area: 'management',
})
