/** The form of a user: its fields depending on the editor, and its values for a row. */
import { isPlatformType, type UserType, userTypes } from '#schema/people/session'
import type { getUserList } from '#schema/people/user'
import type { Field, FormValues } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import type { Option, Row } from '../kit/list/list-types.ts'
import { me } from '../kit/me.ts'
import { languageNames } from '../kit/page/language-names.ts'
import { groupsField, RoleField, useFoundCustomers, useGroupNames, useRoleNames } from './people-fields.tsx'
import { isPlatformUser } from './people-options.ts'
import { imageIdOf, pictureField } from './picture-field.tsx'

export type UserRow = Row<typeof getUserList>

export const isSelf = (row: UserRow) => row.user_id === me().user.user_id

/** No higher than the editor's own; the super administrator is created by the installation. */
export const typeOptions = (): readonly Option[] =>
  userTypes
    .filter(
      (type) => type !== 'superAdmin' && userTypes.indexOf(type) <= userTypes.indexOf(me().user.userType),
    )
    .map((value) => ({ value, label: t(`session:type.${value}`) }))

const ofCustomer = (values: FormValues) =>
  values['userType'] !== '' && !isPlatformType(values['userType'] as UserType)

const isInvited = (values: FormValues) => values['invite'] === true
const hasPassword = (values: FormValues) => !isInvited(values)

const account: readonly (Field | string)[] = [
  { name: 'username', required: true, hint: 'user:usernameRule' },
  { name: 'invite', hint: 'user:inviteHint' },
  { name: 'email', required: true, when: isInvited },
  { name: 'language', when: isInvited, choices: () => languageNames },
  {
    name: 'password',
    required: true,
    when: hasPassword,
    hint: 'user:passwordRule',
  },
  { name: 'confirmPassword', required: true, when: hasPassword },
]

const place = (row: UserRow | null): readonly (Field | string)[] => [
  {
    name: 'userType',
    required: true,
    useOptions: typeOptions,
  },
  ...(isPlatformUser()
    ? [
        {
          name: 'customerId',
          required: true,
          useFound: useFoundCustomers,
          known: row?.customerId
            ? { value: String(row.customerId), label: row.customerName ?? '' }
            : undefined,
          empties: ['groupIds'],
          when: ofCustomer,
        } as const,
      ]
    : []),
  {
    name: 'roleId',
    hint: 'user:roleHint',
    required: true,
    Draw: RoleField,
    useNames: () => useRoleNames(row?.customerId ?? null),
  },
  {
    name: 'groupIds',
    hint: 'user:groupsHint',
    required: true,
    when: (values) => values['userType'] === 'normal',
    Draw: groupsField(row?.groups ?? []),
    useNames: useGroupNames,
  },
]

const AvatarField = pictureField('avatar')
const personal = (isNew: boolean): readonly (Field | string)[] => [
  'realname',
  'nickname',
  'tel',
  isNew ? { name: 'email', when: hasPassword } : 'email',
  'addr',
  { name: 'icon', Draw: AvatarField },
  { name: 'alarmState', hint: 'user:alarmHint' },
  { name: 'monState', hint: 'user:monHint' },
  'remark',
]

/** Users cannot change their own type, role and groups; those of the super administrator cannot be changed at all. */
const placed = (row: UserRow) => isSelf(row) || row.userType === 'superAdmin'

export const userFields = (row: UserRow | null): readonly (Field | string)[] =>
  row
    ? [...(placed(row) ? [] : place(row)), ...personal(false)]
    : [...account, ...place(null), ...personal(true)]

const placeOf = (row: UserRow) => ({
  userType: row.userType,
  customerId: row.customerId === null ? '' : String(row.customerId),
  roleId: row.roleId === null ? '' : String(row.roleId),
  groupIds: row.groups.map(({ gid }) => String(gid)),
})

export const userFixed = (row: UserRow): FormValues => ({
  userId: row.user_id,
  ...(placed(row) ? placeOf(row) : {}),
})

export const userValues = (row: UserRow): FormValues => ({
  ...(placed(row) ? {} : placeOf(row)),
  realname: row.realname ?? '',
  nickname: row.nickname ?? '',
  tel: row.tel ?? '',
  email: row.email ?? '',
  addr: row.addr ?? '',
  icon: imageIdOf(row.icon),
  alarmState: row.alarmState === 1,
  monState: row.monState === 1,
  remark: row.remark ?? '',
})
