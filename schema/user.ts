import { z } from 'zod'
import { functions } from './functions.ts'
import { listCall } from './kit/list.ts'
import { instant } from './kit/time.ts'
import { userTypes } from './session.ts'

export const getUserList = listCall({
  path: '/api/user/getUserList',
  permission: functions.userList,
  summary: 'Users the actor may see.',
  sorts: ['username', 'createdAt'],
  filters: { user_id: z.coerce.number().optional() },
  row: z.object({
    user_id: z.number(),
    username: z.string(),
    realname: z.string().nullable(),
    userType: z.enum(userTypes),
    customerId: z.number().nullable(),
    customerName: z.string().nullable(),
    roleName: z.string().nullable(),
    lastLoginAt: instant.nullable(),
  }),
})
