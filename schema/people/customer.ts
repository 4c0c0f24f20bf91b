/** [§3 Customer] Tenants: their data, and the look of the console for their users. */

import { z } from 'zod'
import { deletes, edits, makes } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { labelled } from '../kit/field.ts'
import { listCall } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { emailAddress, line, passwordText, phoneNumber } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { instant } from '../kit/time.ts'
import { recordingPolicies } from '../remote/recording-policy.ts'
import { targetPolicy } from '../remote/target-field.ts'
import { customerObject } from './customer-object.ts'
import { imageId } from './image.ts'
import { on, username } from './user.ts'

export const customerListPermission = permission({
  id: 8900,
  name: 'customerList',
  role: 'customerAdmin',
  under: 'customer-list',
})
export const customerCreatePermission = permission({
  id: 8901,
  name: 'customerCreate',
  role: 'systemAdmin',
  under: 'customer-list',
})
export const customerEditPermission = permission({
  id: 8902,
  name: 'customerEdit',
  role: 'systemAdmin',
  under: 'customer-list',
})
export const customerDeletePermission = permission({
  id: 8903,
  name: 'customerDelete',
  role: 'systemAdmin',
  under: 'customer-list',
})

/** [§3 Customer] */
export const serviceTypes = ['standard', 'remotePrint'] as const

export const getCustomerList = listCall({
  path: '/api/customer/getCustomerList',
  permission: customerListPermission,
  summary: 'Customers the actor may see.',
  sorts: ['name', 'id', 'createdAt', 'deviceCount', 'userCount'],
  searches: ['name', 'contact', 'phone', 'email', 'address'],
  filters: { user_id: z.coerce.number().optional(), serviceType: z.enum(serviceTypes).optional() },
  blanks: ['user_id'],
  row: z.object({
    id: z.number(),
    name: z.string(),
    administrator: z.string().nullable().describe('user name of its first customer administrator'),
    contact: z.string().nullable(),
    phone: z.string().nullable(),
    email: z.string().nullable(),
    address: z.string().nullable(),
    serviceType: z.enum(serviceTypes),
    logo: z.string().nullable().describe('address of the image'),
    copyright: z.string().nullable().describe('replaces the footer’s default text'),
    totpRequired: z.boolean().describe('its users log in with a second factor'),
    terminalRecording: z.enum(recordingPolicies),
    remoteTargets: z.string().nullable().describe('null: any machine in a LAN'),
    demonstration: z.boolean().describe('made by the first start; deleteDemonstration deletes it as a whole'),
    deviceCount: z.number(),
    userCount: z.number(),
    createdAt: instant,
    edition,
  }),
})

const fields = {
  name: line(64).min(1),
  contact: line(64).optional(),
  phone: phoneNumber.optional(),
  email: emailAddress.optional(),
  address: line(200).optional(),
  serviceType: z.enum(serviceTypes).default('standard'),
  copyright: line(200).optional(),
  totpRequired: z.boolean().default(false),
  terminalRecording: z
    .enum(recordingPolicies)
    .default('on')
    .describe('of its devices; `required`: none opens that cannot be recorded'),
  remoteTargets: targetPolicy
    .optional()
    .describe(
      'machines behind its devices that may be reached, a rule a line (`192.168.1.0/24:80,443`, `none`); empty: any with a private IPv4 address',
    ),
  logo: imageId.optional().describe('from uploadImage; absent: none'),
}

export const addCustomer = call({
  path: '/api/customer/addCustomer',
  permission: customerCreatePermission,
  writes: true,
  about: makes(customerObject, { by: 'customerId', named: 'name' }),
  summary:
    'Creates a customer with its Default group; with `username` also its administrator, who then needs a role and a password, and sees Cloud Monitoring unless `monState` is 0.',
  blanks: ['roleId'],
  body: z.object({
    ...fields,
    ...labelled(
      {
        username: username.optional(),
        password: passwordText.optional(),
        confirmPassword: passwordText.optional(),
        roleId: rowId.optional(),
        monState: on.prefault(1),
      },
      {
        username: 'customer:admin.username',
        password: 'user:field.password',
        confirmPassword: 'user:field.confirm',
        roleId: 'user:field.role',
        monState: 'user:field.monState',
      },
    ),
  }),
  reply: z.object({ customerId: z.number(), groupId: z.number(), userId: z.number().nullable() }),
})

export const modifyCustomer = call({
  path: '/api/customer/modifyCustomer',
  permission: customerEditPermission,
  writes: true,
  about: edits(customerObject, 'customerId'),
  summary: 'Changes a customer; what is left out is emptied.',
  body: z.object({ customerId: rowId, ...fields, edition: openedEdition }),
})

export const deleteCustomer = call({
  path: '/api/customer/deleteCustomer',
  permission: customerDeletePermission,
  writes: true,
  about: deletes(customerObject, 'customerId'),
  summary:
    'Deletes a customer that owns nothing but its empty Default group; otherwise the error names what prevents it.',
  body: z.object({ customerId: rowId }),
})

export const customerScreen = screen({
  name: 'customer-list',
  path: '/system/customermanagement',
  lists: 'customer/getCustomerList',
  menuId: 89,
  role: 'customerAdmin',
  parent: 'system',
  place: 10,
  area: 'management',
})
