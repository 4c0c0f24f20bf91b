/** Commands to one device: the envelope on the wire, their states, and the calls that send and list them. */

import { z } from 'zod'
import { deviceObject } from '../device/device-object.ts'
import { deviceDetailPermission } from '../device/device-pages.ts'
import { pastDays } from '../device/device-past.ts'
import { deviceText } from '../device/hello.ts'
import { uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { job } from '../kit/job.ts'
import { listCall } from '../kit/list.ts'
import { downlink, uplink } from '../kit/message.ts'
import { rowId } from '../kit/row-id.ts'
import { deviceTime, instant } from '../kit/time.ts'

/**
 * queued → sending (intent committed) → sent → accepted → done; or failed (reported by the device), timedOut (no
 * response), expired (the device did not come online in time), cancelled (by a user, before it was sent).
 */
export const commandStates = [
  'queued',
  'sending',
  'sent',
  'accepted',
  'done',
  'failed',
  'timedOut',
  'expired',
  'cancelled',
] as const
export type CommandState = (typeof commandStates)[number]
export const commandEnds: readonly CommandState[] = ['done', 'failed', 'timedOut', 'expired', 'cancelled']

export const command = downlink({
  name: 'command',
  summary: 'Run this command. A known `id` is never run again: repeat the earlier reply.',
  payload: z.object({
    id: z.uuid(),
    name: deviceText(64),
    args: z.record(z.string(), z.unknown()),
    deadlineAt: deviceTime.describe('do not start after this time'),
  }),
  example: {
    id: '0198a7c5-0000-7cc2-9b1e-1d5a4c0f2b11',
    name: 'reboot',
    args: { delayS: 0 },
    deadlineAt: 1795226520000,
  },
})

export const inquire = downlink({
  name: 'inquire',
  summary:
    'Inquiry about a command id. Respond with `reply` immediately; `unknown` if you never received it.',
  payload: z.object({ id: z.uuid() }),
  example: { id: '0198a7c5-0000-7cc2-9b1e-1d5a4c0f2b11' },
})

export const reply = uplink({
  name: 'reply',
  class: 'report',
  maxBytes: 65_536,
  summary:
    'Response to `command` or `inquire`. `accepted` immediately where the work takes time or ends the connection, then `done` or `failed`.',
  payload: z.object({
    id: z.uuid(),
    at: deviceTime,
    state: z.enum(['accepted', 'done', 'failed', 'unknown']),
    result: z.record(z.string(), z.unknown()).optional(),
    error: deviceText(500).optional(),
  }),
  example: { id: '0198a7c5-0000-7cc2-9b1e-1d5a4c0f2b11', at: 1795226461000, state: 'accepted' },
})

const id = rowId

export const sendCommand = call({
  path: '/api/command/sendCommand',
  permission: 'login',
  writes: true,
  about: uses(deviceObject, 'deviceId'),
  summary: 'Sends a declared command to one device; the function id of that command is required.',
  body: z.object({
    deviceId: id,
    name: z.string().max(64),
    args: z.record(z.string(), z.unknown()).default({}),
  }),
  reply: z.object({ commandId: z.string() }),
})

export const getCommandList = listCall({
  path: '/api/command/getCommandList',
  permission: deviceDetailPermission,
  summary: 'Commands of one device, newest first.',
  sorts: ['createdAt'],
  descending: ['createdAt'],
  searches: ['name'],
  filters: { deviceId: id, days: pastDays },
  row: z.object({
    commandId: z.string(),
    name: z.string(),
    args: z.record(z.string(), z.unknown()),
    state: z.enum(commandStates),
    createdAt: instant,
    sentAt: instant.nullable(),
    deadlineAt: instant,
    endedAt: instant.nullable(),
    result: z.record(z.string(), z.unknown()).nullable(),
    error: z.string().nullable(),
    createdBy: z.string().nullable(),
    /** The task, if it was sent by one. */
    taskId: z.number().nullable(),
  }),
})

/** Sends queued commands, asks devices after crashes, ends overdue ones. */
export const driveCommands = job({ name: 'driveCommands', body: z.object({}), single: true, everyMs: 2_000 })
