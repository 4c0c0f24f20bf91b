/** The devices of a group [§7]. */

import { z } from 'zod'
import { deviceRow } from '../device/device.ts'
import { deviceListPermission } from '../device/device-pages.ts'
import { reads } from '../kit/about.ts'
import { listCall, storable } from '../kit/list.ts'
import { rowId } from '../kit/row-id.ts'
import { groupObject } from './group-object.ts'

/** [§7] queryType 0: devices of the group itself; 1: those below too; 2: those that could be moved in. */
export const groupQueryTypes = { own: 0, below: 1, others: 2 } as const
export const getGroupDevices = listCall({
  path: '/api/device/group/devices',
  about: reads(groupObject, 'gid'),
  permission: deviceListPermission,
  summary:
    'Devices of a group. queryType 0: its own; 1: with those below (default); 2: others of the customer.',
  sorts: ['deviceSn', 'deviceName'],
  searches: ['deviceSn', 'deviceName'],
  filters: {
    gid: rowId,
    queryType: z.coerce.number().int().min(0).max(2).default(groupQueryTypes.below),
    sn: storable(z.string().trim().max(100)).optional().describe('part of serial number or name'),
  },
  blanks: ['queryType', 'sn'],
  row: deviceRow.pick({
    deviceId: true,
    deviceSn: true,
    deviceName: true,
    groupId: true,
    groupName: true,
    state: true,
    stateAt: true,
    statePercent: true,
    alarmSeverity: true,
    alarmCount: true,
    online: true,
    onlineChangedAt: true,
    offlineReason: true,
    lastSeenAt: true,
  }),
})
