/** N2n supernodes [§3 N2n server]: their groups, the community list, and their state. */

import { z } from 'zod'
import { deletes, edits, finds, makes, object, uses } from '../kit/about.ts'
import { bodyLimits, call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { because } from '../kit/fault.ts'
import { secret } from '../kit/field.ts'
import { job } from '../kit/job.ts'
import { listCall } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { line } from '../kit/person.ts'
import { rowId, rowIds } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { shaped } from '../kit/shape.ts'
import { instant } from '../kit/time.ts'
import { groupObject } from './group-object.ts'

export const n2nServerObject = object('n2nServer')

export const n2nServerListPermission = permission({
  id: 17400,
  name: 'n2nServerList',
  role: 'systemAdmin',
  under: 'n2n-server-list',
})
export const n2nServerEditPermission = permission({
  id: 17401,
  name: 'n2nServerEdit',
  role: 'systemAdmin',
  under: 'n2n-server-list',
})

/** [§9] */
export const N2N_PORT_MIN = 9001
export const N2N_PORT_MAX = 50_000
/** n2n's own default (N2N_SN_MGMT_PORT). */
export const N2N_MANAGEMENT_PORT = 5645
/** From this version on supernodes support users with keys; older ones only community names. */
export const N2N_USERS_SINCE = 3

/** Limit of one call. */
const GROUPS_MAX = 10_000

/** A host name or an address; never a URL, a path or a port. */
const host = z
  .string()
  .trim()
  .min(1)
  .max(253)
  .regex(shaped(/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/, 'host'))

export const n2nServerRow = z.object({
  id: z.number(),
  name: z.string(),
  address: z.string(),
  port: z.number(),
  version: z.number(),
  managementPort: z.number().nullable(),
  managementAddress: z.string().nullable(),
  groupTotal: z.number(),
  deviceTotal: z.number(),
  createTime: instant,
  up: z.boolean().nullable().describe('null: not known'),
  edges: z.number().nullable().describe('edges in all communities; null: not known'),
  checkedAt: instant.nullable(),
  lastSeenAt: instant.nullable().describe('when it last responded'),
  startedAt: instant.nullable(),
  checkError: z.string().nullable(),
  fetchedAt: instant.nullable().describe('when its host last fetched the community list'),
  edition,
})

export const listN2nServer = listCall({
  path: '/api/n2nServer/listN2nServer',
  permission: n2nServerListPermission,
  summary: 'Supernodes with their use and their state.',
  sorts: ['name', 'address', 'port', 'version', 'createTime'],
  searches: ['name', 'address', 'port'],
  row: n2nServerRow,
})

export const getN2nServer = call({
  path: '/api/n2nServer/getN2nServer',
  permission: n2nServerListPermission,
  summary: 'One supernode with the groups that it serves.',
  body: z.object({ serverId: rowId }),
  reply: n2nServerRow.extend({
    groups: z.array(
      z.object({
        n2nInfoId: z.number().describe('the id of the group'),
        groupName: z.string(),
        customerName: z.string(),
        account: z.string().nullable(),
        deviceTotal: z.number(),
        remoteLogins: z.number().nullable(),
      }),
    ),
  }),
})

const fields = {
  name: line(64).min(1),
  address: host,
  port: z.coerce.number().int().min(N2N_PORT_MIN).max(N2N_PORT_MAX),
  version: z.coerce.number().int().min(1).max(99),
  managementPort: z.coerce.number().int().min(1).max(65_535).optional().describe('absent: not checked'),
  managementAddress: host.optional().describe('address of that port; absent: the same address'),
}
/** Shown once, with instructions for the supernode's host. */
const fetching = z.object({ id: z.number(), token: secret(z.string()), url: z.string() })

export const addN2nServer = call({
  path: '/api/n2nServer/addN2nServer',
  permission: n2nServerEditPermission,
  writes: true,
  about: makes(n2nServerObject, { by: 'id', named: 'name' }),
  summary: '[§5 N2n] Adds a supernode; returns the token for its community list, once.',
  body: z.object(fields),
  reply: fetching,
})

export const modifyN2nServer = call({
  path: '/api/n2nServer/modifyN2nServer',
  permission: n2nServerEditPermission,
  writes: true,
  about: edits(n2nServerObject, 'serverId'),
  summary: 'Changes a supernode.',
  body: z.object({ serverId: rowId, ...fields, edition: openedEdition }),
})

export const deleteN2nServer = call({
  path: '/api/n2nServer/deleteN2nServer',
  permission: n2nServerEditPermission,
  writes: true,
  about: deletes(n2nServerObject, 'serverId'),
  summary: 'Deletes a supernode that no group uses.',
  body: z.object({ serverId: rowId }),
})

export const rotateN2nToken = call({
  path: '/api/n2nServer/rotateN2nToken',
  permission: n2nServerEditPermission,
  writes: true,
  about: uses(n2nServerObject, 'serverId'),
  summary: 'A new token for the community list, shown once; the old one ends.',
  body: z.object({ serverId: rowId }),
  reply: fetching,
})

export const updateGroupInfo = call({
  path: '/api/n2nServer/updateGroupInfo',
  bodyLimit: bodyLimits.selection,
  permission: n2nServerEditPermission,
  writes: true,
  about: finds(groupObject, { by: 'n2nInfoIds' }),
  summary: 'Assigns groups to a supernode; serverId 0 takes them from theirs.',
  body: z.object({
    n2nInfoIds: rowIds(GROUPS_MAX)
      .refine((ids) => ids.length > 0, because({ reason: 'fewer', n: 1 }))
      .describe('ids of groups: a list, or a text with commas'),
    serverId: z.coerce.number().int().min(0).max(2_147_483_647),
    port: z.coerce
      .number()
      .int()
      .min(N2N_PORT_MIN)
      .max(N2N_PORT_MAX)
      .optional()
      .describe('as the caller believes it to be; another one is refused'),
  }),
  // Removing groups from their server must be requested explicitly.
  blanks: ['serverId', 'port'],
  reply: z.object({ count: z.number() }),
})

/** Queries the edges of every supernode; a silent one is down, one without a management port is unknown. */
export const watchN2nServers = job({
  name: 'watchN2nServers',
  body: z.object({}),
  single: true,
  everyMs: 30_000,
})

export const n2nServerScreen = screen({
  name: 'n2n-server-list',
  path: '/system/remoteservice',
  lists: 'n2nServer/listN2nServer',
  menuId: 174,
  role: 'systemAdmin',
  permission: n2nServerListPermission,
  parent: 'system',
  place: 50,
  area: 'management',
})
