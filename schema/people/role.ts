/** [§3 Role, §6] Roles: the functions and menus of their users. */

import { z } from 'zod'
import { deletes, edits, makes, object } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { field } from '../kit/field.ts'
import { listCall } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { line, paragraph } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { instant } from '../kit/time.ts'
import { customerObject } from './customer-object.ts'
import { getMenu } from './session.ts'
import { userListPermission } from './user-pages.ts'

export const roleObject = object('role')

export const roleListPermission = permission({
  id: 2600,
  name: 'roleList',
  role: 'customerAdmin',
  under: 'role-list',
})
export const roleEditPermission = permission({
  id: 2601,
  name: 'roleEdit',
  role: 'customerAdmin',
  under: 'role-list',
})
export const viewAsPermission = permission({
  id: 2602,
  name: 'viewAs',
  role: 'customerAdmin',
  under: 'role-list',
})

const IDS_MAX = 500
const ids = z.array(z.int().positive()).max(IDS_MAX)
const fields = {
  name: line(64).min(1),
  description: paragraph(500).default(''),
  functionIds: ids,
  menuIds: ids,
}

export const getRoleList = listCall({
  path: '/api/role/getRoleList',
  permission: roleListPermission,
  summary:
    'Roles the actor may see: templates, and those of their customer (of all customers for the platform).',
  sorts: ['name', 'createdAt', 'userCount'],
  searches: ['name', 'description'],
  filters: {
    customerId: rowId.optional(),
    kind: z.enum(['template', 'platform', 'customer']).optional(),
  },
  row: z.object({
    id: z.number(),
    name: z.string(),
    description: z.string().nullable(),
    status: z.number().describe('1 normal'),
    template: z.boolean().describe('locked: to be duplicated rather than edited'),
    customerId: z.number().nullable(),
    customerName: z.string().nullable(),
    creator: z.string().nullable(),
    createdAt: instant,
    functionIds: z.array(z.number()),
    menuIds: z.array(z.number()),
    userCount: z.number().describe('users whom the actor may see'),
    edition,
    within: z.boolean().describe('the actor has all permissions that the role grants'),
  }),
})

export const getRoleOptions = listCall({
  path: '/api/role/getRoleOptions',
  permission: userListPermission,
  summary: 'Roles that the actor may give to a user of this customer (without: of the platform).',
  sorts: ['name'],
  searches: ['name'],
  filters: {
    customerId: rowId.optional(),
    newCustomer: z.boolean().optional().describe('for the administrator of a customer that is being made'),
  },
  row: z.object({ id: z.number(), name: z.string(), template: z.boolean() }),
})

export const addRole = call({
  path: '/api/role/addRole',
  permission: roleEditPermission,
  writes: true,
  about: makes(roleObject, { by: 'roleId', named: 'name', of: { object: customerObject, by: 'customerId' } }),
  summary:
    'Creates a role of a customer, or of the platform without one. It grants nothing that the actor does not hold.',
  body: z.object({ ...fields, customerId: field(rowId, { label: 'role:field.customer' }).optional() }),
  reply: z.object({ roleId: z.number() }),
})

export const modifyRole = call({
  path: '/api/role/modifyRole',
  permission: roleEditPermission,
  writes: true,
  about: edits(roleObject, 'roleId'),
  summary:
    'Changes a role; its users have the new permissions from their next request. Templates are locked.',
  body: z.object({ roleId: rowId, ...fields, edition: openedEdition }),
})

export const deleteRole = call({
  path: '/api/role/deleteRole',
  permission: roleEditPermission,
  writes: true,
  about: deletes(roleObject, 'roleId'),
  summary: 'Deletes a role that no user has.',
  body: z.object({ roleId: rowId }),
})

export const previewRole = call({
  path: '/api/role/previewRole',
  permission: viewAsPermission,
  summary: '[View as] The menus and functions that these rights would show, without becoming them.',
  body: z.object({ functionIds: ids, menuIds: ids, platform: z.boolean().default(false) }),
  reply: z.object({
    management: getMenu.reply,
    monitor: getMenu.reply,
    functions: z.array(z.object({ functionId: z.number(), functionName: z.string() })),
  }),
})

export const getPermissionTree = call({
  path: '/api/role/getPermissionTree',
  permission: roleListPermission,
  summary:
    'All that a role can grant, named: sections of the side menu, their pages, and the functions of each.',
  reply: z.object({
    list: z.array(
      z.object({
        name: z.string(),
        pages: z.array(
          z.object({
            name: z.string(),
            menuId: z.number().nullable().describe('null: dialogs of the user menu, which belong to no page'),
            installation: z.boolean().describe('never in a customer’s role'),
            functions: z.array(z.object({ id: z.number(), name: z.string(), installation: z.boolean() })),
          }),
        ),
      }),
    ),
  }),
})

export const roleScreen = screen({
  name: 'role-list',
  path: '/system/authoritymanagement',
  lists: 'role/getRoleList',
  menuId: 26,
  role: 'customerAdmin',
  parent: 'system',
  place: 30,
  area: 'management',
})
