/** The second factor: a code from an authenticator app [RFC 6238], required after the password. */

import { z } from 'zod'
import { oneself, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { field, secret } from '../kit/field.ts'
import { passwordText } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { instant } from '../kit/time.ts'
import { userObject } from './user-object.ts'
import { userEditPermission } from './user-pages.ts'

/** [RFC 6238] The parameters that every authenticator app supports. */
export const TOTP_DIGITS = 6
export const TOTP_PERIOD_S = 30
/** Steps of drift allowed to either side. */
export const TOTP_WINDOW = 1
export const RECOVERY_CODES = 10

/** Six digits of the app, or a recovery code; people type them with spaces and dashes. */
export const totpInput = secret(
  z
    .string()
    .max(40)
    .transform((text) => text.replace(/[\s-]/g, '').toLowerCase()),
)
export const isTotpCode = (text: string) => /^\d{6}$/.test(text)

const passwd = field(passwordText, { label: 'totp:password' })

/** What a user may call while their customer requires a second factor that they have not set up. */
export const callsBeforeEnrolment: readonly string[] = [
  'userLogout',
  'user/getUserDetails',
  'permission/showFunctionList',
  'config/getMenu',
  'permission/getRights',
  'totp/getTotp',
  'totp/beginTotp',
  'totp/confirmTotp',
]

export const getTotp = call({
  path: '/api/totp/getTotp',
  permission: 'login',
  summary: 'Whether the own second factor is on, and how many recovery codes are left.',
  reply: z.object({
    on: z.boolean(),
    required: z.boolean().describe('by the customer'),
    since: instant.nullable(),
    recoveryLeft: z.number(),
  }),
})

export const beginTotp = call({
  path: '/api/totp/beginTotp',
  permission: 'login',
  writes: true,
  about: uses(userObject, oneself),
  summary:
    'A new secret for an authenticator app; it is not required at login until it is confirmed with a code.',
  body: z.object({ passwd }),
  reply: z.object({
    secret: secret(z.string().describe('base32')),
    uri: secret(z.string().describe('otpauth://')),
  }),
})

const codes = z.object({ codes: secret(z.array(z.string()).describe('recovery codes, shown once')) })

export const confirmTotp = call({
  path: '/api/totp/confirmTotp',
  permission: 'login',
  writes: true,
  about: uses(userObject, oneself),
  summary: 'Turns the second factor on. Other logins of the user end. Returns the recovery codes, once.',
  body: z.object({ totp: totpInput }),
  reply: codes,
})

export const renewRecoveryCodes = call({
  path: '/api/totp/renewRecoveryCodes',
  permission: 'login',
  writes: true,
  about: uses(userObject, oneself),
  summary: 'New recovery codes; the old ones end.',
  body: z.object({ passwd, totp: totpInput }),
  reply: codes,
})

export const disableTotp = call({
  path: '/api/totp/disableTotp',
  permission: 'login',
  writes: true,
  about: uses(userObject, oneself),
  summary: 'Turns the own second factor off, unless the customer requires it.',
  body: z.object({ passwd, totp: totpInput }),
})

export const resetUserTotp = call({
  path: '/api/totp/resetUserTotp',
  permission: userEditPermission,
  writes: true,
  about: uses(userObject, 'userId'),
  summary:
    'For a user who lost their device: turns their second factor off and ends their logins. If their customer requires one, they set it up again at the next login.',
  body: z.object({ userId: rowId }),
})
