/** Tenants. Screens for managing them come with their own issue; lists for pickers are here. */
import { z } from 'zod'
import { functions } from './functions.ts'
import { listCall } from './kit/list.ts'

/** [§3 Customer] */
export const serviceTypes = ['standard', 'remotePrint'] as const
export type ServiceType = (typeof serviceTypes)[number]

export const getCustomerList = listCall({
  path: '/api/customer/getCustomerList',
  permission: functions.customerList,
  summary: 'Customers the actor may see.',
  sorts: ['name', 'id'],
  filters: { user_id: z.coerce.number().optional() },
  row: z.object({ id: z.number(), name: z.string() }),
})
