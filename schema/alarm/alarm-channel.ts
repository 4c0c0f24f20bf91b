/**
 * Notification channels besides e-mail: signed webhooks (Standard Webhooks), group robots, SMS via a provider's HTTP
 * API.
 */

import { z } from 'zod'
import { deletes, edits, makes, object, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { field, labelled, secret } from '../kit/field.ts'
import { job } from '../kit/job.ts'
import { listCall, storable } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { line, phoneNumber } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { shaped } from '../kit/shape.ts'
import { instant } from '../kit/time.ts'
import type { AlarmCondition } from '../monitor/notice/variable-condition.ts'
import { customerObject } from '../people/customer-object.ts'
import type { AlarmKind, Severity } from './alarm-kind.ts'
import { alarmRulesPermission } from './alarm-rule.ts'
import { channelEvents, type EventPayload, wantedEvents } from './channel-event.ts'
import { ownerId } from './owner-id.ts'

export const alarmChannelObject = object('alarmChannel')
export const alarmDeliveryObject = object('alarmDelivery')

export const alarmChannelsPermission = permission({
  id: 3202,
  name: 'alarmChannels',
  role: 'customerAdmin',
  under: 'alarm-rules',
})

export const channelKinds = ['webhook', 'wecom', 'dingtalk', 'sms'] as const
export type ChannelKind = (typeof channelKinds)[number]
/** Robots of these kinds refuse more than 20 messages within a minute; DingTalk's then refuse all for ten minutes. */
export const robotKinds = ['wecom', 'dingtalk'] as const satisfies readonly ChannelKind[]
/** Below that: a test message, or one of another worker at the same moment, still fits in. */
export const ROBOT_PER_MINUTE = 18
export const noticeKinds = ['alert', 'recovery', 'repeat', 'summary', 'test', ...channelEvents] as const
export type NoticeKind = (typeof noticeKinds)[number]
/** [§4 Messages] */
export const deliveryStates = ['draft', 'sending', 'sent', 'failed'] as const
/** `kept`: an e-mail that no mail server could take; it stays in the outbox. */
export const shownDeliveryStates = [...deliveryStates, 'kept'] as const
/**
 * What customers learn if there was no response. `unreachable` does not reveal whether a name, an address, a port or
 * our own rules were the cause: a channel must not be usable to scan networks. The server log has the cause.
 */
export const deliveryErrors = ['unreachable', 'unreadable', 'switchedOff'] as const
export type DeliveryError = (typeof deliveryErrors)[number]

/** Pauses in seconds before each retry, following Standard Webhooks; eight tries in total, unless some came ahead of their time. */
export const RETRY_AFTER_S = [5, 60, 300, 1800, 7200, 18_000, 36_000] as const
export const DELIVERY_TIMEOUT_MS = 10_000
export const RESPONSE_KEPT_BYTES = 1024
/** Alarms that one notice lists; the others are only counted. */
export const LISTED_MAX = 50

export type NoticedAlarm = {
  id: number
  sn: string
  /** Of the device, or of the task. */
  deviceName: string
  /** The task that paused itself, with its page; null: the alarm is about a device. */
  task: { id: number; url: string } | null
  groupName: string
  /** Only for an alarm about a terminal or one of its variables. */
  terminal?: string | null
  variable?: string | null
  condition?: AlarmCondition | null
  subject: string
  value: number | null
  threshold: number | null
  detail: string | null
  startedAt: string
  endedAt: string | null
  times: number
}
export type AlarmPayload = {
  rule: { id: number; name: string; kind: AlarmKind; severity: Severity } | null
  incident: { id: number; ground: string; name: string } | null
  /** Total number of alarms; `alarms` lists at most LISTED_MAX. */
  count: number
  alarms: NoticedAlarm[]
  text: string
}
/** The body of a webhook, besides type and time. */
export type NoticePayload = AlarmPayload | EventPayload

export const deliverNotices = job({
  name: 'deliverNotices',
  body: z.object({}),
  single: true,
  everyMs: 5_000,
})

const name = line(64).min(1)
/** A robot's address is its password. */
const secretUrl = secret(
  z
    .string()
    .trim()
    .max(2000)
    .regex(shaped(/^https?:\/\/[^\s]+$/i, 'webUrl')),
)
const template = field(storable(z.string().trim().max(4000)), { input: 'area' })
/** The secret of a DingTalk robot with "additional signature"; for webhooks we generate it. */
const signingSecret = field(z.string().trim().max(200), { input: 'password' }).optional()

const labels = {
  customerId: 'alarm:field.customer',
  name: 'alarm:channel.name',
  kind: 'alarm:channel.kindOf',
  secretUrl: 'alarm:channel.url',
  signingSecret: 'alarm:channel.signingSecret',
  template: 'alarm:channel.template',
  events: 'alarm:channel.events',
} as const

const channelRow = z.object({
  id: z.number(),
  customerId: z.number(),
  customerName: z.string(),
  name: z.string(),
  kind: z.enum(channelKinds),
  urlShown: z.string().describe('scheme and host; the rest may be a password'),
  template: z.string().nullable(),
  signed: z.boolean(),
  events: wantedEvents,
  enabled: z.boolean(),
  disabledReason: z.string().nullable(),
  ruleCount: z.number(),
  changeable: z.boolean().describe('false: it receives more than what the groups of the caller concern'),
  lastState: z.enum(deliveryStates).nullable(),
  brokenAt: instant.nullable().describe('since then its receiver has accepted nothing'),
  lastAt: instant.nullable(),
  createdAt: instant,
  edition,
})

export const getAlarmChannelList = listCall({
  path: '/api/alarm/getAlarmChannelList',
  permission: alarmRulesPermission,
  summary: 'Channels with how their last delivery went; addresses without their secrets.',
  sorts: ['name', 'kind', 'createdAt'],
  searches: ['name'],
  filters: { customerId: ownerId },
  row: channelRow,
})
export const createAlarmChannel = call({
  path: '/api/alarm/createAlarmChannel',
  permission: alarmChannelsPermission,
  writes: true,
  about: makes(alarmChannelObject, {
    by: 'id',
    named: 'name',
    of: { object: customerObject, by: 'customerId' },
  }),
  summary:
    'Adds a channel. The signing secret of a webhook or SMS channel is shown once. Events are worded in the language of the user who chose them.',
  body: z.object(
    labelled(
      {
        customerId: ownerId,
        name,
        kind: z.enum(channelKinds),
        secretUrl,
        signingSecret,
        template: template.optional(),
        events: wantedEvents.default([]),
      },
      labels,
    ),
  ),
  reply: z.object({ id: z.number(), secret: secret(z.string().nullable()) }),
})
export const updateAlarmChannel = call({
  path: '/api/alarm/updateAlarmChannel',
  permission: alarmChannelsPermission,
  writes: true,
  about: edits(alarmChannelObject, 'channelId'),
  summary:
    'Changes a channel; an address or secret left out stays as it is. `newSecret` makes another secret, shown once.',
  body: z.object(
    labelled(
      {
        channelId: rowId,
        name,
        secretUrl: secretUrl.optional(),
        signingSecret,
        template: template.optional(),
        events: wantedEvents.optional(),
        enabled: z.boolean().default(true),
        newSecret: z.boolean().default(false),
        edition: openedEdition,
      },
      { ...labels, enabled: 'alarm:channel.enabled', newSecret: 'alarm:channel.newSecret' },
    ),
  ),
  blanks: ['secretUrl', 'signingSecret'],
  reply: z.object({ secret: secret(z.string().nullable()) }),
})
export const deleteAlarmChannel = call({
  path: '/api/alarm/deleteAlarmChannel',
  permission: alarmChannelsPermission,
  writes: true,
  about: deletes(alarmChannelObject, 'channelId'),
  summary: 'Deletes a channel; refused while a rule uses it.',
  body: z.object({ channelId: rowId }),
})
export const testAlarmChannel = call({
  path: '/api/alarm/testAlarmChannel',
  permission: alarmChannelsPermission,
  writes: true,
  about: uses(alarmChannelObject, 'channelId'),
  summary: 'Sends a test notice now and returns the response.',
  body: z.object(
    labelled(
      {
        channelId: rowId,
        phone: phoneNumber.optional().describe('for SMS'),
      },
      { phone: 'alarm:channel.phone' },
    ),
  ),
  reply: z.object({
    ok: z.boolean(),
    status: z.number().nullable(),
    response: z.string().nullable(),
    error: z.enum(deliveryErrors).nullable(),
    tookMs: z.number().nullable(),
  }),
})

export const getDeliveryList = listCall({
  path: '/api/alarm/getDeliveryList',
  permission: alarmChannelsPermission,
  summary: 'Notices that were sent: recipient, channel and result.',
  sorts: ['createdAt'],
  descending: ['createdAt'],
  searches: ['subject', 'recipient'],
  filters: {
    channelId: rowId.optional(),
    state: z.enum(shownDeliveryStates).optional(),
    noticeKind: z.enum(noticeKinds).optional(),
  },
  row: z.object({
    id: z.number(),
    noticeId: z.string(),
    noticeKind: z.enum(noticeKinds),
    subject: z.string(),
    text: z.string(),
    way: z
      .enum(['email', ...channelKinds])
      .nullable()
      .describe('null: its channel was deleted'),
    recipient: z.string(),
    state: z.enum(shownDeliveryStates),
    attempts: z.number(),
    responseStatus: z.number().nullable(),
    responseText: z.string().nullable(),
    tookMs: z.number().nullable(),
    error: z.string().nullable(),
    createdAt: instant,
    dueAt: instant,
    sentAt: instant.nullable(),
  }),
})
export const redeliver = call({
  path: '/api/alarm/redeliver',
  permission: alarmChannelsPermission,
  writes: true,
  about: uses(alarmDeliveryObject, 'deliveryId'),
  summary: 'Sends a delivery again, with the same webhook-id.',
  body: z.object({ deliveryId: rowId }),
})
