/** Three-level groups [§3 Group]. Managing them comes with its own issue; the list serves filters and pickers. */
import { z } from 'zod'
import { functions } from './functions.ts'
import { listCall } from './kit/list.ts'

export const GROUP_LEVELS = 3

export const getGroupList = listCall({
  path: '/api/device/getGroupList',
  permission: functions.groupList,
  summary: 'Groups the actor may see, with device counts.',
  sorts: ['groupName', 'gid'],
  filters: {
    allDevice: z.coerce.number().optional(),
    allGroup: z.coerce.number().optional(),
    user_id: z.coerce.number().optional(),
    client_user_id: z.coerce.number().optional(),
    pid: z.coerce
      .number()
      .int()
      .min(0)
      .max(2_147_483_647)
      .optional()
      .describe('only children of this group; 0: first level'),
  },
  row: z.object({
    gid: z.number(),
    groupName: z.string(),
    level: z.number(),
    parentGroupId: z.number().nullable(),
    cid: z.number(),
    customerName: z.string(),
    isDefault: z.boolean(),
    deviceTotal: z.number(),
    deviceOnline: z.number(),
  }),
})
