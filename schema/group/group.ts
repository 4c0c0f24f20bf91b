/** Three-level groups [§3 Group, §7]. Odd names of the wire format are used only here. */
import { z } from 'zod'
import { deletes, edits, makes, reads } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { because } from '../kit/fault.ts'
import { field, secret } from '../kit/field.ts'
import { listCall, storable } from '../kit/list.ts'
import { isHostAddress } from '../kit/network-rules.ts'
import { line } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { instant } from '../kit/time.ts'
import { customerObject } from '../people/customer-object.ts'
import { approvalPolicies } from '../remote/access-policy.ts'
import { dataPlanMb } from '../task/data-plan.ts'
import { accessFields } from './group-access.ts'
import { groupObject } from './group-object.ts'
import {
  groupCreatePermission,
  groupDeletePermission,
  groupEditPermission,
  groupListPermission,
  groupMovePermission,
} from './group-pages.ts'
import { loginTypes, remoteFields } from './group-remote.ts'
import { treeCounts } from './tree-counts.ts'

export const GROUP_LEVELS = 3
const FIRST_LEVEL_LIMIT = 50 // [§9]

const groupName = field(line(64).min(1), { label: 'group:column.groupName' })
const level = z.coerce.number().int().min(1).max(GROUP_LEVELS)
const parentId = z.coerce.number().int().min(0).max(2_147_483_647) // 0: of the first level
/** The user is known from the token; these fields are accepted and ignored. */
const asker = {
  user_id: z.coerce.number().optional(),
  client_user_id: z.coerce.number().optional(),
}

export const groupRow = z.object({
  gid: z.number(),
  groupName: z.string(),
  level: z.number(),
  parentGroupId: z.number().nullable(),
  parentName: z.string().nullable(),
  cid: z.number(),
  customerName: z.string(),
  isDefault: z.boolean(),
  deviceTotal: z.number().describe('in the group itself'),
  deviceOnline: z.number(),
  childTotal: z.number(),
  uid: z.number().nullable(),
  ownerName: z.string().nullable(),
  creator: z.string().nullable(),
  name: z.string().nullable().describe('remote account'),
  hasPassword: z.boolean().describe('the password itself is returned by getGroupPassword'),
  ip: z.string().nullable(),
  loginType: z.enum(loginTypes),
  loginNum: z.number(),
  n2nInfoBridge: z.boolean(),
  n2nIfnoMaskbit: z.number().nullable(),
  dataPlanMb: z.number().nullable().describe('its own mobile data plan; null: that of the group above'),
  remoteApproval: z.enum(approvalPolicies),
  remoteTargets: z.string().describe('empty: as the group above'),
  groupServiceDistribution: z.number().nullable().describe('id of the n2n server'),
  n2nVersion: z.number().nullable(),
  port: z.number().nullable(),
  superlink: z.string().nullable().describe('address and port of the n2n server'),
  remoteLogins: z.number().nullable().describe('edges in its community; null: not known'),
  updateTime: instant,
  edition,
})
export type GroupRow = z.infer<typeof groupRow>

const upTo = (max: number) => z.coerce.number().int().min(0).max(max)
const groupList = {
  permission: groupListPermission,
  sorts: ['groupName', 'gid', 'level', 'updateTime'],
  searches: ['groupName'],
  row: groupRow,
} as const

export const getGroupList = listCall({
  ...groupList,
  path: '/api/device/getGroupList',
  summary: 'Groups the actor may see, with device counts.',
  filters: {
    ...asker,
    allDevice: upTo(2)
      .default(2)
      .describe('which devices `deviceTotal` counts: 0 offline, 1 online, 2 all, as in getDeviceAddressList'),
    allGroup: upTo(1)
      .default(0)
      .describe('with `pid` 0: its children, 1: all groups below it; without, all are listed'),
    pid: parentId.optional().describe('only groups below this one; 0: the top of what the actor may see'),
  },
  blanks: [...Object.keys(asker), 'allDevice', 'allGroup', 'pid'],
})

export const fristLevelGroup = listCall({
  ...groupList,
  path: '/api/device/fristLevelGroup',
  summary:
    'Groups of the first level, or the children of `pid`; 50 to a page. For a user restricted to groups below: the topmost of theirs.',
  filters: {
    pid: parentId.optional(),
    customer: parentId.optional().describe('id of the customer; 0: all'),
    limit: z.coerce.number().int().min(1).max(100_000).default(FIRST_LEVEL_LIMIT),
  },
  blanks: ['pid', 'customer'],
})

const part = storable(z.string().trim().max(100)).optional()
const keywordFilters = {
  ...asker,
  keyword: part,
  groupname: part,
  parentname: part,
  cname: part.describe('name of the customer'),
  create: part.describe('user name of the creator'),
  superlink: part.describe('name, address or port of the n2n server'),
  account: part,
  password: secret(part),
  ip: part,
  updatetime: part.describe('part of the time of the last change, UTC: 2026-11-21 08'),
  pid: parentId.optional().describe('this group and those below it; 0: all'),
  groLevel: level.optional(),
  cid: rowId.optional(),
  groupServiceDistribution: rowId.optional().describe('id of the n2n server'),
}
export const queryGroupKeyword = listCall({
  ...groupList,
  searches: ['groupName', 'parentName', 'customerName', 'creator', 'superlink', 'name', 'ip', 'updateTime'],
  path: '/api/device/queryGroupKeyword',
  row: groupRow.extend(treeCounts),
  summary:
    'Groups by a keyword in any column, or by part of one column. `password` needs the right to edit groups.',
  filters: keywordFilters,
  blanks: Object.keys(keywordFilters),
})

const treeGroup = groupRow.pick({
  gid: true,
  groupName: true,
  level: true,
  parentGroupId: true,
  cid: true,
  isDefault: true,
  deviceTotal: true,
  deviceOnline: true,
})

export const getGroupTree = call({
  path: '/api/device/getGroupTree',
  permission: groupListPermission,
  summary: 'All groups that the actor may see, small, with the counts of their own devices: for the tree.',
  reply: z.object({
    customers: z.array(z.object({ cid: z.number(), customerName: z.string() })),
    list: z.array(treeGroup),
  }),
})

const position = {
  level: field(level, { label: 'group:column.level' }).optional(),
  parentGroupId: field(parentId, { label: 'group:field.parent' }).optional(),
}
const cid = field(rowId, { label: 'group:column.customerName' }).optional()
const responsible = { label: 'group:column.ownerName' } as const

export const addGroup = call({
  path: '/api/device/addGroup',
  permission: groupCreatePermission,
  writes: true,
  about: makes(groupObject, { by: 'gid', named: 'groupName', of: { object: customerObject, by: 'cid' } }),
  summary: '[§5 Group] The name is unique within the customer. Without a parent it is of the first level.',
  body: z.object({
    groupName,
    ...position,
    cid: cid.describe('needed by platform users for the first level'),
    uid: field(rowId, responsible).optional().describe('who answers for it'),
  }),
  blanks: ['level', 'parentGroupId', 'cid', 'uid'],
  reply: z.object({ gid: z.number() }),
})

export const modifyGroupName = call({
  path: '/api/device/modifyGroupName',
  permission: groupEditPermission,
  writes: true,
  about: edits(groupObject, 'gid'),
  summary:
    'Changes a group and its remote account. Absent or empty fields are unchanged; `uid` and `dataPlanMb` are a number or null. Another parent is a move and requires that permission.',
  blanks: [
    'level',
    'parentGroupId',
    'cid',
    'name',
    'password',
    'ip',
    'loginType',
    'loginNum',
    'n2nInfoBridge',
    'n2nIfnoMaskbit',
    'remoteApproval',
    'groupServiceDistribution',
  ],
  body: z
    .object({
      gid: rowId,
      groupName: groupName.optional(),
      ...position,
      uid: field(parentId, responsible).nullish().describe('0 or null: none'),
      cid: cid.describe('a group never changes its customer'),
      ...remoteFields,
      dataPlanMb,
      ...accessFields,
      groupServiceDistribution: field(parentId, { label: 'group:column.superlink' })
        .optional()
        .describe('id of the n2n server, 0: none; needs the right to edit n2n servers'),
      edition: openedEdition,
    })
    .refine(({ ip, n2nIfnoMaskbit }) => ip === undefined || isHostAddress(ip, n2nIfnoMaskbit), {
      path: ['ip'],
      ...because({ reason: 'format', shape: 'hostAddress' }),
    }),
})

export const deleteGroup = call({
  path: '/api/device/deleteGroup',
  permission: groupDeletePermission,
  writes: true,
  about: deletes(groupObject, 'groupId'),
  summary:
    '[§5 Group] Neither the default group, nor one with devices (abnormal ones included) or groups below.',
  body: z.object({ user_id: asker.user_id, groupId: rowId }),
  blanks: ['user_id'],
})

export const findCanLevelUp = call({
  path: '/api/device/findCanLevelUp',
  about: reads(groupObject, 'groupId'),
  permission: groupMovePermission,
  summary: 'Where a group could be moved: parents under which its whole subtree stays within three levels.',
  body: z.object({ groupId: rowId }),
  reply: z.object({
    canBeFirst: z.boolean(),
    list: z.array(
      z.object({
        gid: z.number(),
        groupName: z.string(),
        level: z.number(),
        parentGroupId: z.number().nullable(),
      }),
    ),
  }),
})

export const levelUp = call({
  path: '/api/device/levelUp',
  permission: groupMovePermission,
  writes: true,
  about: edits(groupObject, 'groupId', 'place'),
  summary: 'Moves a group with everything below it under another parent; 0: to the first level.',
  body: z.object({ groupId: rowId, parentGroupId: field(parentId, { label: 'group:field.newParent' }) }),
  // The first level must be requested explicitly, not by an empty input.
  blanks: ['parentGroupId'],
})

export const getAddLevelGroup = call({
  path: '/api/device/getAddLevelGroup',
  permission: groupListPermission,
  summary:
    'The level that a new group below `pid` would have, and the groups that may have groups below them.',
  body: z.object({ pid: parentId.default(0) }),
  blanks: ['pid'],
  reply: z.object({
    canAdd: z.boolean(),
    level: z.number().nullable(),
    list: z.array(z.object({ gid: z.number(), groupName: z.string(), level: z.number(), cid: z.number() })),
  }),
})

export const getCustomerGroups = call({
  path: '/api/group/cid/list',
  permission: groupListPermission,
  summary: 'All groups of a customer.',
  body: z.object({ cid: rowId }),
  reply: z.object({ list: z.array(treeGroup), total: z.number() }),
})

export const getUserGroups = call({
  path: '/api/group/uid/list',
  permission: groupListPermission,
  summary: 'Groups that a user sees, as far as the actor sees them, too.',
  body: z.object({ uid: rowId }),
  reply: z.object({ list: z.array(treeGroup), total: z.number() }),
})
