/** Sessions of remote operation: a tunnel that a device opens on demand, for one user and one target. */

import { z } from 'zod'
import { deviceObject } from '../device/device-object.ts'
import { makes, object, reads, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { because } from '../kit/fault.ts'
import { field, secret } from '../kit/field.ts'
import { listCall } from '../kit/list.ts'
import { rowId } from '../kit/row-id.ts'
import { instant } from '../kit/time.ts'
import { recordingPolicies } from './recording-policy.ts'
import {
  isLanAddress,
  remoteForcePermission,
  remoteKinds,
  remoteLanPermission,
  remoteOperationPermission,
  remoteSchemes,
  remoteWatchPermission,
} from './remote-access.ts'

export const remoteSessionObject = object('remoteSession')

/** requested → tunnelUp → ready → ended; from each of them it may end. */
export const remoteStates = ['requested', 'tunnelUp', 'ready', 'ended'] as const
export type RemoteState = (typeof remoteStates)[number]

/** Why a session ended; the first four before there was a tunnel. */
export const remoteEnds = [
  'requestTimeout',
  'connectFailed',
  'versionUnsupported',
  'deviceOffline',
  'lost',
  'idle',
  'expired',
  'closed',
  'forced',
  'accessEnded',
  'targetDenied',
  'approvalOver',
  'approvalNeeded',
] as const
export type RemoteEnd = (typeof remoteEnds)[number]

/** The steps that the page shows, in this order. */
export const remoteSteps = ['requested', 'sent', 'tunnelUp', 'ready'] as const

/** A request without a tunnel after this time has failed. */
export const REQUEST_MAX_MS = 60_000
/** Heartbeat interval of a process that holds a tunnel; if it is silent for `REMOTE_LOST_MS`, its tunnels are lost. */
export const REMOTE_BEAT_MS = 1_000
export const REMOTE_LOST_MS = 15_000
/** After this silence the session is held by no process, and its device must open the tunnel again. */
export const REMOTE_SILENT_MS = 5_000
/** A device is asked to reopen a broken tunnel at most at this interval, and for this long in total. */
export const REOPEN_MS = 5_000
export const REMOTE_AWAY_MS = 300_000
/** Maximum open sessions of one user with one device, and in total. */
export const PER_DEVICE_MAX = 4
export const PER_USER_MAX = 20

const sessionId = z.uuid()
const target = {
  kind: z.enum(remoteKinds),
  scheme: z.enum(remoteSchemes),
  host: z.string(),
  port: z.number(),
}
const port = z.int().min(1).max(65_535)

const opens = {
  writes: true,
  about: makes(remoteSessionObject, { by: 'sessionId', of: { object: deviceObject, by: 'deviceId' } }),
  reply: z.object({ sessionId: z.string(), commandId: z.string() }),
}
const scheme = z.enum(['http', 'https']).default('http').describe('of a web page')

export const openRemote = call({
  ...opens,
  path: '/api/remote/openRemote',
  permission: remoteOperationPermission,
  summary:
    'Has a device open a tunnel to its shell (`terminal`) or its web page (`web`). Follow it with getRemote.',
  body: z.object({
    deviceId: rowId,
    kind: z.enum(['terminal', 'web']),
    scheme,
    port: port.optional().describe('default: 22, 80 or 443'),
  }),
})

const lanHost = field(
  z
    .string()
    .trim()
    .max(15)
    .refine(isLanAddress, because({ reason: 'format', shape: 'lanAddress' })),
  { label: 'remote:field.host', hint: 'remote:hint.host' },
)

export const openRemoteLan = call({
  ...opens,
  path: '/api/remote/openRemoteLan',
  permission: remoteLanPermission,
  summary: 'Makes a device open a tunnel to the web page of a machine in its LAN; also needs function 90.',
  body: z.object({
    deviceId: rowId,
    scheme,
    host: lanHost.describe('a private IPv4 address'),
    port: port.optional().describe('default: 80 or 443'),
  }),
})

export const openRemoteForward = call({
  ...opens,
  path: '/api/remote/openRemoteForward',
  permission: remoteOperationPermission,
  summary:
    'Has a device open a tunnel for TCP connections to one of its ports, or, with the right to its LAN, to a port of a machine there. Each connection is a WebSocket with a ticket (`ops forward` does it).',
  body: z.object({
    deviceId: rowId,
    host: lanHost.optional().describe('a private IPv4 address; default: the device itself'),
    port: port.describe('where connections lead'),
  }),
})

const shown = {
  sessionId: z.string(),
  deviceId: z.number(),
  deviceSn: z.string(),
  deviceName: z.string(),
  ...target,
  state: z.enum(remoteStates),
  createdAt: instant,
  createdBy: z.string().nullable(),
  own: z.boolean().describe('of the actor'),
  tunnelAt: instant.nullable(),
  readyAt: instant.nullable(),
  activeAt: instant.nullable().describe('when bytes last went through it'),
  expiresAt: instant.describe('it ends then, unless it is extended'),
  endedAt: instant.nullable(),
  endReason: z.enum(remoteEnds).nullable(),
  endDetail: z.string().nullable().describe('what the device said'),
  fromDeviceBytes: z.number(),
  toDeviceBytes: z.number(),
}

export const getRemote = call({
  path: '/api/remote/getRemote',
  permission: remoteOperationPermission,
  about: reads(remoteSessionObject, 'sessionId'),
  summary: 'One session with its steps.',
  body: z.object({ sessionId }),
  reply: z.object({
    ...shown,
    idleAt: instant.nullable().describe('it ends then, if nothing goes through it'),
    recording: z.enum(recordingPolicies).describe('whether its terminals are recorded'),
    steps: z.array(z.object({ step: z.enum(remoteSteps), at: instant.nullable() })),
  }),
})

export const getOwnRemote = call({
  path: '/api/remote/getOwnRemote',
  permission: remoteOperationPermission,
  about: reads(deviceObject, 'deviceId'),
  summary:
    'The own open session of a kind at a device, for a page that was reloaded: it continues the session, with the shells that the session still has. Sessions of an API token are its own only.',
  body: z.object({ deviceId: rowId, kind: z.enum(remoteKinds) }),
  reply: z.object({
    sessionId: z.string().nullable(),
    shown: z.boolean().describe('a page shows its terminals now'),
    shells: z.array(z.string()).describe('to be joined over the WebSocket of the terminal, oldest first'),
  }),
})

export const getRemoteList = listCall({
  path: '/api/remote/getRemoteList',
  permission: remoteOperationPermission,
  summary: 'Sessions of all visible devices, newest first.',
  sorts: ['createdAt', 'deviceSn', 'fromDeviceBytes', 'toDeviceBytes'],
  descending: ['createdAt', 'fromDeviceBytes', 'toDeviceBytes'],
  searches: ['deviceSn', 'deviceName'],
  filters: {
    deviceId: rowId.optional(),
    open: z.enum(['yes', 'no']).optional(),
    kind: z.enum(remoteKinds).optional(),
  },
  row: z.object(shown),
})

export const extendRemote = call({
  path: '/api/remote/extendRemote',
  permission: remoteOperationPermission,
  writes: true,
  about: uses(remoteSessionObject, 'sessionId'),
  summary:
    'Lets the own session last as long again, counted from now; with an approval, at most until that ends.',
  body: z.object({ sessionId }),
  reply: z.object({ expiresAt: instant }),
})

export const closeRemote = call({
  path: '/api/remote/closeRemote',
  permission: remoteOperationPermission,
  writes: true,
  about: uses(remoteSessionObject, 'sessionId'),
  summary: 'Closes the own session.',
  body: z.object({ sessionId }),
})

export const forceRemote = call({
  path: '/api/remote/forceRemote',
  permission: remoteForcePermission,
  writes: true,
  about: uses(remoteSessionObject, 'sessionId'),
  summary: 'Closes the session of any user immediately.',
  body: z.object({ sessionId }),
})

export const getRemoteTicket = call({
  path: '/api/remote/getRemoteTicket',
  permission: remoteOperationPermission,
  about: reads(remoteSessionObject, 'sessionId'),
  summary:
    'For the own session, good once and for 30 s: opens the WebSocket of a terminal or of one forwarded connection, or is part of the address of a web page.',
  body: z.object({ sessionId }),
  reply: z.object({
    ticket: secret(z.string()),
    url: z.string().nullable().describe('where the web page is opened; null: the session is for none'),
  }),
})

export const getWatchTicket = call({
  path: '/api/remote/getWatchTicket',
  permission: remoteWatchPermission,
  writes: true,
  about: uses(remoteSessionObject, 'sessionId'),
  summary:
    'Opens the WebSocket of a terminal to watch it, read-only; good once and for 30 s. Its user sees who watches.',
  body: z.object({ sessionId }),
  reply: z.object({ ticket: secret(z.string()) }),
})
