/** [§2 User menu] The user's own profile, and binding an e-mail address. */

import { z } from 'zod'
import { edits, finds, oneself, uses } from '../kit/about.ts'
import { type BodyOf, call } from '../kit/call.ts'
import { openedEdition } from '../kit/edition.ts'
import { field, labelled, secret } from '../kit/field.ts'
import { line, passwordText, phoneNumber } from '../kit/person.ts'
import { shaped } from '../kit/shape.ts'
import { IMAGE_PATH, imageId } from './image.ts'
import { bindEmailPermission, editProfilePermission } from './profile-pages.ts'
import { userObject } from './user-object.ts'

/** [§9] */
export const BINDING_MINUTES = 30
/** Limit of mails of one user, and to one address, per hour. */
export const BINDINGS_PER_HOUR = 5

/** An empty text or null clears the field, an omitted field stays unchanged: getUserDetails says null of what is not set. */
const orEmpty = <T extends z.ZodType>(field: T) =>
  z.union([z.literal('').transform(() => null), field]).nullish()

/** The id of an image, or its address as getUserDetails says it. */
const picture = z
  .string()
  .transform((text) => (text.startsWith(IMAGE_PATH) ? text.slice(IMAGE_PATH.length) : text))
  .pipe(imageId)

/** [§7 updateUser] The other fields of getUserDetails: a caller may send back everything it received. */
const unchanged = z
  .union([z.string().max(500), z.number(), z.boolean(), z.null()])
  .optional()
  .describe('accepted, not changed here')

export const updateUser = call({
  path: '/api/user/updateUser',
  permission: editProfilePermission,
  writes: true,
  about: edits(userObject, oneself, 'profile'),
  summary: 'Changes the own profile; what is left out stays. The e-mail address is changed by bindEmail.',
  body: z.object(
    labelled(
      {
        nickname: orEmpty(line(64)),
        realname: orEmpty(line(64)),
        user_qq: orEmpty(
          z
            .string()
            .trim()
            .regex(shaped(/^\d{5,12}$/, 'qq')),
        ),
        user_sex: z.coerce
          .number()
          .int()
          .min(0)
          .max(2)
          .nullable()
          .optional()
          .describe('0 not said, 1 male, 2 female'),
        user_tel: orEmpty(phoneNumber),
        user_addr: orEmpty(line(200)),
        user_icon: picture.nullish().describe('from uploadImage; null: none'),
        edition: openedEdition,
        user_id: unchanged,
        username: unchanged,
        roleid: unchanged,
        roleName: unchanged,
        roleTemplate: unchanged,
        userType: unchanged,
        user_ctid: unchanged,
        customerName: unchanged,
        user_iscustomer: unchanged,
        user_status: unchanged,
        user_email: unchanged,
        userLoginTime: unchanged,
        copyRight: unchanged,
        customerLogo: unchanged,
        defaultGroupId: unchanged,
        monState: unchanged,
        totpOn: unchanged,
        totpRequired: unchanged,
      },
      {
        nickname: 'profile:nickname',
        realname: 'session:realname',
        user_qq: 'profile:qq',
        user_sex: 'profile:sex',
        user_tel: 'session:phone',
        user_addr: 'session:address',
        user_icon: 'profile:avatar',
      },
    ),
  ),
})

export type UserProfile = BodyOf<typeof updateUser>

export const bindEmail = call({
  path: '/api/user/bindEmail',
  permission: bindEmailPermission,
  writes: true,
  about: uses(userObject, oneself),
  summary:
    'Sends a link to the address, valid for 30 minutes and once; the address is bound when it is followed. Code 0: the mail is on its way; 15: wrong password.',
  body: z.object({
    // Checked by the handler, with the message of [§5].
    email: field(z.string().trim().max(254), { label: 'profile:bind.email' }),
    passwd: field(passwordText, { label: 'profile:bind.password' }),
  }),
  reply: z.object({
    kept: z.boolean().describe('no mail server is set: the mail stays in the outbox'),
  }),
})

export const confirmEmail = call({
  path: '/api/user/confirmEmail',
  permission: 'none',
  writes: true,
  about: finds(userObject),
  summary: 'Binds the address that the link was sent to. Needs no login: the link proves it.',
  body: z.object({ token: secret(z.string().max(100)) }),
  reply: z.object({ email: z.string(), username: z.string() }),
})
