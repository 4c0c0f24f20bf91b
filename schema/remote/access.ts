/**
 * Access on approval: if a group requires it, sessions with its devices can be opened only after a second person has
 * approved a request with a reason and a duration [decisions/133].
 */
import { z } from 'zod'
import { deviceObject } from '../device/device-object.ts'
import { makes, object, reads, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { labelled } from '../kit/field.ts'
import { listCall, storable } from '../kit/list.ts'
import { rowId } from '../kit/row-id.ts'
import { instant } from '../kit/time.ts'
import { remoteApprovePermission } from './access-pages.ts'
import { accessStates } from './access-policy.ts'
import { remoteOperationPermission } from './remote-access.ts'

export const accessObject = object('remoteAccess')

const accessId = rowId
const text = storable(z.string().trim().max(500))

const shown = {
  accessId: z.number(),
  deviceId: z.number(),
  deviceSn: z.string(),
  deviceName: z.string(),
  state: z.enum(accessStates),
  reason: z.string(),
  minutes: z.number().describe('how long it lasts from the approval on'),
  createdAt: instant,
  createdBy: z.string().nullable(),
  own: z.boolean().describe('of the actor'),
  decidedAt: instant.nullable(),
  decidedBy: z.string().nullable(),
  note: z.string().nullable(),
  until: instant.describe('approved: when it ends; waiting: when it expires'),
}

export const getAccessList = listCall({
  path: '/api/remote/getAccessList',
  permission: remoteOperationPermission,
  summary: 'Requests for access to visible devices, newest first.',
  sorts: ['createdAt', 'deviceSn', 'until'],
  descending: ['createdAt', 'until'],
  searches: ['deviceSn', 'deviceName', 'reason'],
  filters: { deviceId: rowId.optional(), state: z.enum(accessStates).optional() },
  row: z.object(shown),
})

export const getDeviceAccess = call({
  path: '/api/remote/getDeviceAccess',
  permission: remoteOperationPermission,
  about: reads(deviceObject, 'deviceId'),
  summary: 'Whether sessions of this device need an approval, and the actor’s last request.',
  body: z.object({ deviceId: rowId }),
  reply: z.object({
    required: z.boolean(),
    last: z.object(shown).nullable(),
  }),
})

export const getAwaitedAccess = call({
  path: '/api/remote/getAwaitedAccess',
  permission: remoteApprovePermission,
  summary: 'Requests of others that the actor may decide, the oldest first; at most ten.',
  reply: z.object({
    total: z.number(),
    list: z.array(
      z.object({
        accessId: z.number(),
        deviceSn: z.string(),
        deviceName: z.string(),
        createdBy: z.string().nullable(),
      }),
    ),
  }),
})

export const askAccess = call({
  path: '/api/remote/askAccess',
  permission: remoteOperationPermission,
  writes: true,
  about: makes(accessObject, { by: 'accessId', of: { object: deviceObject, by: 'deviceId' } }),
  summary:
    'Requests access to a device whose group requires an approval. Users who may approve are notified in the console and by mail.',
  body: z.object(
    labelled(
      {
        deviceId: rowId,
        reason: text.min(3),
        minutes: z.coerce.number().int().min(5).max(1440).default(60),
      },
      { reason: 'access:field.reason', minutes: 'access:field.minutes' },
    ),
  ),
  reply: z.object({ accessId: z.number() }),
})

export const approveAccess = call({
  path: '/api/remote/approveAccess',
  permission: remoteApprovePermission,
  writes: true,
  about: uses(accessObject, 'accessId'),
  summary: 'Approves the request of another user; its time begins now.',
  body: z.object({ accessId }),
  reply: z.object({ until: instant }),
})

export const refuseAccess = call({
  path: '/api/remote/refuseAccess',
  permission: remoteApprovePermission,
  writes: true,
  about: uses(accessObject, 'accessId'),
  summary: 'Refuses the request of another user.',
  body: z.object(labelled({ accessId, note: text.default('') }, { note: 'access:field.note' })),
})

export const endAccess = call({
  path: '/api/remote/endAccess',
  permission: remoteOperationPermission,
  writes: true,
  about: uses(accessObject, 'accessId'),
  summary:
    'Withdraws the own request, or ends an approved access early: the own, or with the right to approve that of another. Its sessions end at once.',
  body: z.object({ accessId }),
})
