/** Moving devices to another group, and possibly to another customer. */

import { z } from 'zod'
import { groupObject } from '../group/group-object.ts'
import { finds } from '../kit/about.ts'
import { bodyLimits, call } from '../kit/call.ts'
import { field } from '../kit/field.ts'
import { permission } from '../kit/permission.ts'
import { rowId } from '../kit/row-id.ts'
import { deviceSelection } from './device.ts'
import { deviceObject } from './device-object.ts'

export const deviceMovePermission = permission({
  id: 1407,
  name: 'deviceMove',
  role: 'customerAdmin',
  under: 'device-list',
})

export const moveDevices = call({
  path: '/api/device/moveDevices',
  bodyLimit: bodyLimits.selection,
  permission: deviceMovePermission,
  writes: true,
  about: finds(deviceObject, { by: 'dids', of: { object: groupObject, by: 'groupId' } }),
  summary:
    "Moves devices to a group. Into another customer's only by platform users: the new owner then reads nothing of the past, running task items are cancelled, and a device that is flashing stays where it is.",
  body: deviceSelection.extend({ groupId: field(rowId, { label: 'unusual:move.group' }) }),
  reply: z.object({
    moved: z.number(),
    changedCustomer: z.number(),
    /** Serial numbers of devices that are flashing and would have moved to another customer. */
    upgrading: z.array(z.string()),
  }),
})
