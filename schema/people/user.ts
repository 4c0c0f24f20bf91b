/** [§3 User, §6] Users: four types, a role, and for normal users the groups they see. */

import { z } from 'zod'
import { deletes, edits, makes } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { field, labelled } from '../kit/field.ts'
import { flag } from '../kit/flag.ts'
import { listCall } from '../kit/list.ts'
import { emailAddress, line, paragraph, passwordText, phoneNumber } from '../kit/person.ts'
import { languages } from '../kit/refusal.ts'
import { rowId } from '../kit/row-id.ts'
import { shaped } from '../kit/shape.ts'
import { instant } from '../kit/time.ts'
import { customerObject } from './customer-object.ts'
import { imageId } from './image.ts'
import { invitationStates } from './invitation.ts'
import { userTypes } from './session.ts'
import { userObject } from './user-object.ts'
import {
  userCreatePermission,
  userDeletePermission,
  userEditPermission,
  userListPermission,
} from './user-pages.ts'

/** [§5 Username] */
export const username = z
  .string()
  .trim()
  .min(2)
  .max(32)
  .regex(shaped(/^[A-Za-z0-9_]+$/, 'username'))
const GROUPS_MAX = 100
const password = passwordText
/** 0 or 1; a form's switch sends true or false. */
export const on = z.union([z.literal(0), z.literal(1), z.boolean()]).transform(Number)

export const getUserList = listCall({
  path: '/api/user/getUserList',
  permission: userListPermission,
  summary: 'Users the actor may see.',
  sorts: ['username', 'createdAt', 'lastLoginAt', 'userType'],
  searches: ['username', 'realname', 'nickname', 'email', 'tel'],
  filters: {
    user_id: z.coerce.number().optional(),
    userType: z.enum(userTypes).optional(),
    customerId: rowId.optional(),
    roleId: rowId.optional(),
    status: z.coerce.number().int().min(0).max(1).optional(),
  },
  blanks: ['user_id', 'status'],
  row: z.object({
    user_id: z.number(),
    username: z.string(),
    nickname: z.string().nullable(),
    realname: z.string().nullable(),
    userType: z.enum(userTypes),
    customerId: z.number().nullable(),
    customerName: z.string().nullable(),
    roleId: z.number().nullable(),
    roleName: z.string().nullable(),
    roleTemplate: z.boolean(),
    groups: z.array(z.object({ gid: z.number(), groupName: z.string() })).describe('of a normal user'),
    tel: z.string().nullable(),
    email: z.string().nullable(),
    addr: z.string().nullable(),
    remark: z.string().nullable(),
    icon: z.string().nullable().describe('address of the image'),
    totp: z.boolean().describe('logs in with a second factor'),
    status: z.number().describe('1 active, 0 disabled'),
    alarmState: z.number().describe('1: receives alarm notices'),
    monState: z.number().describe('1: the Cloud Monitoring area is on'),
    invitation: z
      .object({ state: z.enum(invitationStates), email: z.string(), sentAt: instant, expiresAt: instant })
      .nullable()
      .describe('null: never invited, or given a password since'),
    lastLoginAt: instant.nullable(),
    createdAt: instant,
    edition,
    beyond: z
      .boolean()
      .describe(
        'has a higher type than the actor, or permissions that the actor does not have: the actor cannot change this user',
      ),
  }),
})

const fields = labelled(
  {
    realname: line(64).optional(),
    nickname: line(64).optional(),
    tel: phoneNumber.optional(),
    email: emailAddress.optional(),
    addr: line(200).optional(),
    remark: paragraph(500).optional(),
    userType: z.enum(userTypes),
    customerId: rowId.optional().describe('of customer types; default: the actor’s own'),
    roleId: rowId.optional().describe('required, but for the super administrator'),
    groupIds: z.array(rowId).max(GROUPS_MAX).default([]).describe('of a normal user, at least one'),
    alarmState: on.prefault(1),
    monState: on.prefault(0),
    icon: imageId.optional().describe('from uploadImage; absent: none'),
  },
  {
    customerId: 'user:field.customer',
    roleId: 'user:field.role',
    groupIds: 'user:field.groups',
  },
)

export const addUser = call({
  path: '/api/user/addUser',
  permission: userCreatePermission,
  writes: true,
  about: makes(userObject, {
    by: 'userId',
    named: 'username',
    of: { object: customerObject, by: 'customerId' },
  }),
  summary:
    'Creates a user of no higher type than the actor’s, with a role that grants no more than the actor has. With `invite` they are mailed a link by which they choose their password; otherwise `password` is required.',
  blanks: ['roleId'],
  body: z.object({
    username,
    invite: field(flag.default(false), { label: 'user:field.invite' }),
    password: password.optional(),
    confirmPassword: field(password.optional(), { label: 'user:field.confirm' }),
    language: field(z.enum(languages).optional(), { label: 'user:field.language' }).describe(
      'of the invitation; default: the caller’s',
    ),
    ...fields,
  }),
  reply: z.object({
    userId: z.number(),
    kept: z.boolean().describe('the invitation stays in the outbox: no mail server is set'),
  }),
})

export const modifyUser = call({
  path: '/api/user/modifyUser',
  permission: userEditPermission,
  writes: true,
  about: edits(userObject, 'userId'),
  summary: 'Changes a user; what is left out is emptied. New permissions apply from their next request.',
  blanks: ['roleId'],
  body: z.object({ userId: rowId, ...fields, edition: openedEdition }),
})

export const setUserStatus = call({
  path: '/api/user/setUserStatus',
  permission: userEditPermission,
  writes: true,
  about: edits(userObject, 'userId', 'status'),
  summary: 'Enables (1) or disables (0) a user; disabling ends their logins immediately.',
  body: z.object({ userId: rowId, status: on }),
})

export const deleteUser = call({
  path: '/api/user/deleteUser',
  permission: userDeletePermission,
  writes: true,
  about: deletes(userObject, 'userId'),
  summary: 'Deletes a user with their logins and API tokens; the operation log keeps what they did.',
  body: z.object({ userId: rowId }),
})
