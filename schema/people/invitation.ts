/** Inviting a user by mail: a link that works once, by which they choose their own password. [decisions/086] */

import { z } from 'zod'
import { finds, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { field, secret } from '../kit/field.ts'
import { passwordText } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { userObject } from './user-object.ts'
import { userEditPermission } from './user-pages.ts'

/** `expired`: also if the user's address was changed since the link was sent. */
export const invitationStates = ['invited', 'accepted', 'expired', 'withdrawn'] as const
export type InvitationState = (typeof invitationStates)[number]

export const INVITATION_DAYS = 7
/** Limit of mails to one address, or for one user, per hour. */
export const INVITATIONS_PER_HOUR = 5

const token = secret(z.string().max(100))

export const sendInvitation = call({
  path: '/api/user/sendInvitation',
  permission: userEditPermission,
  writes: true,
  about: uses(userObject, 'userId'),
  summary:
    'Mails a link to a user who has not logged in yet, by which they choose their password. It is valid for seven days and once; earlier links become invalid.',
  body: z.object({ userId: rowId }),
  reply: z.object({ kept: z.boolean().describe('no mail server is set: the mail stays in the outbox') }),
})

export const withdrawInvitation = call({
  path: '/api/user/withdrawInvitation',
  permission: userEditPermission,
  writes: true,
  about: uses(userObject, 'userId'),
  summary: 'Makes the link of an open invitation invalid. The user stays, without a password.',
  body: z.object({ userId: rowId }),
})

export const readInvitation = call({
  path: '/api/user/readInvitation',
  permission: 'none',
  summary:
    'Whom an invitation is for. Needs no login: the link proves it. Reading does not use the link up, because mail scanners open links, too.',
  body: z.object({ token }),
  reply: z.object({
    username: z.string(),
    email: z.string(),
    customerName: z.string().nullable().describe('null: of the platform'),
  }),
})

export const acceptInvitation = call({
  path: '/api/user/acceptInvitation',
  permission: 'none',
  writes: true,
  about: finds(userObject),
  summary: 'Sets the password of the invited user. Needs no login: the link proves it. It works once.',
  body: z.object({
    token,
    password: field(passwordText, { label: 'session:newPassword' }),
    confirmPassword: field(passwordText, { label: 'session:newPasswordAgain' }),
  }),
  reply: z.object({ username: z.string(), email: z.string() }),
})

/** The code of the refusal of an invalid link, which the page replaces by its own text. */
export const LINK_INVALID = 189
