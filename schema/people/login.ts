/** Login history: successful and failed logins, with their addresses. */

import { z } from 'zod'
import { call } from '../kit/call.ts'
import { listCall } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { screen } from '../kit/screen.ts'
import { instant } from '../kit/time.ts'
import { logFilters } from '../platform/operation.ts'
import { zoneName } from '../report/report.ts'

export const loginLogPermission = permission({
  id: 90200,
  name: 'loginLog',
  role: 'customerAdmin',
  under: 'login-log',
})

export const loginWays = ['username', 'email'] as const
export type LoginWay = (typeof loginWays)[number]

export const loginResults = ['ok', 'wrongPassword', 'wrongCode'] as const

const filters = { ...logFilters, result: z.enum(loginResults).optional() }

export const getLoginList = listCall({
  path: '/api/log/getLoginList',
  permission: loginLogPermission,
  summary: 'Login history. A name that belongs to no user is shown to platform users only.',
  sorts: ['at'],
  descending: ['at'],
  searches: ['username', 'ip'],
  past: true,
  filters,
  row: z.object({
    id: z.number(),
    at: instant,
    userId: z.number().nullable(),
    username: z.string(),
    customerName: z.string().nullable(),
    way: z.enum(loginWays),
    result: z.enum(loginResults),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    endedAt: instant
      .nullable()
      .describe('logged out, or ended by another user; null: it lasted until it expired'),
  }),
})

export const exportLogins = call({
  path: '/api/log/exportLogins',
  permission: loginLogPermission,
  carrier: 'download',
  summary: 'The login history as CSV, with the filters of the list.',
  body: getLoginList.body.omit({ offset: true, limit: true, sort: true, order: true }).extend({
    columns: z.array(z.string().max(64)).max(50).optional(),
    zone: zoneName.default('UTC').describe('by whose clocks the times are'),
  }),
})

export const loginLogScreen = screen({
  name: 'login-log',
  path: '/system/enterlog',
  lists: 'log/getLoginList',
  menuId: 902,
  role: 'customerAdmin',
  permission: loginLogPermission,
  parent: 'system',
  place: 80,
  area: 'management',
})
