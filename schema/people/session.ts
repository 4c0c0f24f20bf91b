/** Logging in, and the permissions of a login. Field names are the specification's, on the wire only. */

import { z } from 'zod'
import { nothing, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition } from '../kit/edition.ts'
import { field, secret } from '../kit/field.ts'
import { ACCOUNT, permission } from '../kit/permission.ts'
import { passwordText } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { totpInput } from './totp.ts'
import { userObject } from './user-object.ts'

export const changePasswordPermission = permission({
  id: 148,
  name: 'changePassword',
  role: 'viewer',
  under: ACCOUNT,
})

/** [§3 User, §6] Normal user, customer administrator, system administrator, super administrator. */
export const userTypes = ['normal', 'customerAdmin', 'systemAdmin', 'superAdmin'] as const
export type UserType = (typeof userTypes)[number]
/** Customer types have a customer id and see only its rows; platform types see every customer. */
export const isPlatformType = (type: UserType) => type === 'systemAdmin' || type === 'superAdmin'

/** [§9] bounds of a user password. */
export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 16

/** [§5 Change password] 6–16 characters with at least two kinds among digits, letters and other characters. */
export function isGoodPassword(password: string): boolean {
  const kinds = [/\d/, /[A-Za-z]/, /[^A-Za-z\d]/].filter((kind) => kind.test(password)).length
  return password.length >= PASSWORD_MIN && password.length <= PASSWORD_MAX && kinds >= 2
}

/** Longer than any valid password, short enough that hashing it is cheap. */
const passwordInput = field(passwordText, { label: 'session:password' })

export const userDetails = z.object({
  user_id: z.number(),
  username: z.string(),
  nickname: z.string().nullable(),
  realname: z.string().nullable(),
  roleid: z.number().nullable(),
  roleName: z.string().nullable(),
  roleTemplate: z.boolean().describe('its name is a template’s: shown in the user’s language'),
  userType: z.enum(userTypes),
  user_ctid: z.number().nullable(),
  customerName: z.string().nullable(),
  user_iscustomer: z.number().describe('1: belongs to a customer'),
  user_icon: z.string().nullable(),
  user_qq: z.string().nullable(),
  user_sex: z.number().nullable(),
  user_status: z.number(),
  user_tel: z.string().nullable(),
  user_addr: z.string().nullable(),
  user_email: z.string().nullable(),
  userLoginTime: z.string().nullable(),
  copyRight: z.string().nullable(),
  customerLogo: z.string().nullable(),
  defaultGroupId: z.number().nullable(),
  monState: z.number().describe('1: the Cloud Monitoring area is on'),
  totpOn: z.boolean().describe('a second factor is required at login'),
  totpRequired: z.boolean().describe('the customer demands one'),
  edition: edition.describe('of the own profile'),
})
export type UserDetails = z.infer<typeof userDetails>

/** [§7] Selects the language of the response. A `language` of anything else, such as that of an invitation, does not. */
export const answerLanguage = z.string().max(16).optional()

const loginReply = userDetails.extend({ token: secret(z.string()) })

export const userLogin = call({
  path: '/api/userLogin',
  permission: 'none',
  writes: true,
  about: nothing('the row itself names who logs in'),
  summary: 'Log in by user name. Returns the token (send it in the header `token`) and the user.',
  blanks: ['language'],
  body: z.object({
    username: field(z.string().trim().min(1).max(64), { label: 'session:username' }),
    password: passwordInput,
    totp: totpInput.optional().describe('after refusal 180: the code of the app, or a recovery code'),
    language: answerLanguage,
  }),
  reply: loginReply,
})

export const emailLogin = call({
  path: '/api/emailLogin',
  permission: 'none',
  writes: true,
  about: nothing('the row itself names who logs in'),
  summary: 'Log in by e-mail address.',
  blanks: ['language'],
  body: z.object({
    email: field(z.string().trim().min(3).max(254), { label: 'session:email' }),
    password: passwordInput,
    totp: totpInput.optional().describe('after refusal 180: the code of the app, or a recovery code'),
    language: answerLanguage,
  }),
  reply: loginReply,
})

export const userLogout = call({
  path: '/api/userLogout',
  permission: 'login',
  writes: true,
  about: nothing('the row itself names who logs out'),
  summary: 'Ends this login everywhere it is used.',
})

export const getUserDetails = call({
  path: '/api/user/getUserDetails',
  method: 'GET',
  permission: 'login',
  summary: 'The user behind the token.',
  reply: userDetails,
})

export const changePassword = call({
  path: '/api/user/changePassword',
  permission: changePasswordPermission,
  writes: true,
  about: uses(userObject, 'userId', true),
  summary:
    'Change the own password; every other login of the user ends. Code 15: old password wrong. With userId an administrator sets that user’s password.',
  blanks: ['userId'],
  body: z.object({
    oldpassword: field(passwordInput, { label: 'session:oldPassword' }).optional(),
    newpassword: field(passwordInput, { label: 'session:newPassword', hint: 'session:passwordRule' }),
    confirmPassword: field(passwordInput, { label: 'session:newPasswordAgain' })
      .optional()
      .describe('where given, must be the same again'),
    userId: rowId.optional().describe('also needs the function 1302; all logins and tokens of that user end'),
  }),
})

export const showFunctionList = call({
  path: '/api/permission/showFunctionList',
  permission: 'login',
  summary: 'The function ids that the user has. The body is kept for compatibility and not trusted.',
  body: z.object({ user_id: z.coerce.number().optional(), language: answerLanguage }),
  blanks: ['user_id', 'language'],
  reply: z.object({ list: z.array(z.object({ functionId: z.number(), functionName: z.string() })) }),
})

export const getMenu = call({
  path: '/api/config/getMenu',
  permission: 'login',
  summary:
    'The side menu of one area (funTag 0 devices management, 1 cloud monitoring), built from the screens.',
  body: z.object({
    user_id: z.coerce.number().optional(),
    funTag: z.coerce.number().int().min(0).max(1).default(0),
  }),
  blanks: ['user_id', 'funTag'],
  reply: z.object({
    queryResult: z.array(z.object({ parentId: z.number(), parentName: z.string(), name: z.string() })),
    sonId: z.array(
      z.object({
        id: z.number(),
        parentId: z.number(),
        underId: z
          .number()
          .nullable()
          .describe('the entry below which the menu shows it; null: in the section itself'),
        name: z.string(),
        path: z.string(),
      }),
    ),
    menuIds: z.array(z.number()).describe('every menu id the user has, for the route guard'),
  }),
})

export const loginScreen = screen({ name: 'login', path: '/login', area: 'management' })
export const homeScreen = screen({ name: 'dashboard', path: '/dashboard', area: 'management' })
