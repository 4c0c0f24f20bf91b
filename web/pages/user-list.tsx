import { Avatar } from '@mantine/core'
import { IconKey, IconLock, IconLockOpen, IconShieldOff, IconTrash } from '@tabler/icons-react'
import type { Word } from '#schema/kit/words.gen'
import { changePassword, userTypes } from '#schema/people/session'
import { resetUserTotp } from '#schema/people/totp'
import { addUser, deleteUser, getUserList, modifyUser, setUserStatus } from '#schema/people/user'
import {
  userCreatePermission,
  userDeletePermission,
  userEditPermission,
  userScreen,
} from '#schema/people/user-pages'
import { request } from '../kit/api.ts'
import { ask } from '../kit/confirm.tsx'
import { Empty } from '../kit/empty.tsx'
import { UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { pictureName } from '../kit/initials.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listEditor } from '../kit/list/list-editor.tsx'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter, ListContext } from '../kit/list/list-types.ts'
import { queryClient, reportError } from '../kit/query.ts'
import { language } from '../kit/session.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { toast } from '../kit/toast.tsx'
import { InvitationChip, invitationActions, invitationText } from '../people/invitation-chip.tsx'
import classes from '../people/people.module.css'
import { isPlatformUser, useCustomerOptions } from '../people/people-options.ts'
import { roleText } from '../people/role-name.ts'
import { isSelf, type UserRow, userFields, userFixed, userValues } from '../people/user-form.ts'

export const words: readonly Word[] = ['user', 'role', 'invitation']

const typeText = (row: UserRow) => t(`session:type.${row.userType}`)
const roleName = (row: UserRow) =>
  row.roleName === null ? UNKNOWN : roleText(row.roleName, row.roleTemplate)
const groupsText = (row: UserRow) =>
  row.userType === 'normal'
    ? row.groups.map(({ groupName }) => groupName).join(t('kit:comma')) || UNKNOWN
    : t(row.customerId === null ? 'user:sees.all' : 'user:sees.customer')
const statusText = (row: UserRow) => t(row.status === 1 ? 'user:status.active' : 'user:status.disabled')
const onText = (state: number) => t(state === 1 ? 'user:on' : 'user:off')

const columns: readonly Column<UserRow>[] = [
  {
    key: 'username',
    title: 'user:field.username',
    width: 180,
    pinned: 'left',
    card: 'title',
    render: (row) => (
      <span className={classes['person']}>
        <Avatar src={row.icon} name={pictureName(row.realname ?? row.username)} size={24} alt="" />
        <span>{row.username}</span>
      </span>
    ),
  },
  { key: 'realname', title: 'user:field.realname', width: 120 },
  {
    key: 'status',
    title: 'user:field.status',
    width: 110,
    card: 'beside',
    render: (row) => <StatusChip tone={row.status === 1 ? 'online' : 'offline'} label={statusText(row)} />,
    text: statusText,
  },
  { key: 'userType', title: 'user:field.userType', width: 185, render: typeText, text: typeText },
  { key: 'roleName', title: 'user:field.role', width: 185, render: roleName, text: roleName },
  { key: 'customerName', title: 'user:field.customer', width: 130 },
  {
    key: 'invitation',
    title: 'user:field.invitation',
    width: 120,
    render: (row) => <InvitationChip row={row} />,
    text: invitationText,
  },
  { key: 'groups', title: 'user:field.sees', width: 170, render: groupsText, text: groupsText },
  { key: 'tel', title: 'user:field.tel', width: 145 },
  { key: 'email', title: 'user:field.email', width: 200, card: 'wide' },
  {
    key: 'alarmState',
    title: 'user:field.alarmState',
    width: 120,
    render: (row) => onText(row.alarmState),
    text: (row) => onText(row.alarmState),
  },
  {
    key: 'monState',
    title: 'user:field.monState',
    width: 135,
    render: (row) => onText(row.monState),
    text: (row) => onText(row.monState),
  },
  {
    key: 'lastLoginAt',
    title: 'user:field.lastLoginAt',
    width: 165,
    render: (row) => (row.lastLoginAt ? <When at={row.lastLoginAt} /> : t('user:never')),
  },
  { key: 'nickname', title: 'user:field.nickname', width: 120, extra: true },
  { key: 'addr', title: 'user:field.addr', width: 200, extra: true },
  { key: 'remark', title: 'user:field.remark', width: 200, extra: true },
  {
    key: 'createdAt',
    title: 'user:field.createdAt',
    width: 165,
    extra: true,
    render: (row) => <When at={row.createdAt} absolute />,
  },
]

const filters: readonly Filter[] = [
  {
    key: 'userType',
    label: 'user:field.userType',
    useOptions: () => userTypes.map((value) => ({ value, label: t(`session:type.${value}`) })),
  },
  { key: 'customerId', label: 'user:field.customer', useOptions: useCustomerOptions, when: isPlatformUser },
  {
    key: 'status',
    label: 'user:field.status',
    useOptions: () => [
      { value: '1', label: t('user:status.active') },
      { value: '0', label: t('user:status.disabled') },
    ],
  },
]

const editor = listEditor({
  list: getUserList,
  fields: userFields,
  success: 'user:saved',
  create: {
    call: addUser,
    title: 'user:create',
    permission: userCreatePermission,
    initial: { userType: 'normal', alarmState: true, invite: true, language: language() },
    onDone: ({ kept }) => {
      if (kept) void toast('warning', t('invitation:kept'))
    },
  },
  edit: {
    call: modifyUser,
    title: (row) => t('user:edit', { name: row.username }),
    permission: userEditPermission,
    fixed: userFixed,
    values: userValues,
  },
})
const passwordEditor = listEditor({
  list: getUserList,
  fields: () => [
    {
      name: 'newpassword',
      required: true,
      hint: 'user:passwordRule',
    },
    {
      name: 'confirmPassword',
      required: true,
      hint: 'user:password.ends',
    },
  ],
  success: 'user:password.done',
  edit: {
    call: changePassword,
    title: (row) => t('user:password.of', { name: row.username }),
    permission: userEditPermission,
    fixed: ({ user_id }) => ({ userId: user_id }),
    values: () => ({}),
  },
})

async function setStatus(row: UserRow, status: 0 | 1) {
  const name = row.username
  const sure =
    status === 1 ||
    (await ask({
      title: t('user:disable.title', { name }),
      text: t('user:disable.text'),
      verb: t('user:disable.verb'),
      danger: true,
    }))
  if (!sure) return
  try {
    await request(setUserStatus, { userId: row.user_id, status })
    void queryClient.invalidateQueries({ queryKey: [getUserList.name] })
    void toast('success', t(status === 1 ? 'user:enable.done' : 'user:disable.done', { name }))
  } catch (error) {
    reportError(error)
  }
}

const resetTotp = (row: UserRow) =>
  deleteRow({
    call: resetUserTotp,
    body: { userId: row.user_id },
    verb: t('user:totp.verb'),
    title: t('user:totp.title', { name: row.username }),
    text: t('user:totp.text'),
    done: t('user:totp.done', { name: row.username }),
    refreshes: [getUserList],
  })

const disabledReason = (row: UserRow) => (row.beyond ? t('user:beyond') : null)
const whyNotEnded = (row: UserRow) =>
  row.userType === 'superAdmin' ? t('user:superAdmin') : isSelf(row) ? t('user:self') : disabledReason(row)

function Actions(context: ListContext) {
  return (
    <>
      <passwordEditor.Actions {...context} />
      <editor.Actions {...context} />
    </>
  )
}

export const Page = listPage({
  screen: userScreen,
  call: getUserList,
  rowKey: 'user_id',
  columns,
  filters,
  searchPlaceholder: 'user:searchPlaceholder',
  exportName: 'users',
  rowActions: (row) => [
    { ...editor.edit(row), reason: disabledReason(row) },
    {
      ...passwordEditor.edit(row),
      key: 'password',
      label: t('user:password.title'),
      icon: IconKey,
      reason: isSelf(row) ? t('user:password.own') : whyNotEnded(row),
    },
    ...invitationActions(row, disabledReason(row)),
    {
      key: 'status',
      label: t(row.status === 1 ? 'user:disable.verb' : 'user:enable.verb'),
      icon: row.status === 1 ? IconLock : IconLockOpen,
      permission: userEditPermission,
      reason: whyNotEnded(row),
      run: () => void setStatus(row, row.status === 1 ? 0 : 1),
    },
    {
      key: 'totp',
      label: t('user:totp.verb'),
      icon: IconShieldOff,
      permission: userEditPermission,
      reason: row.totp ? whyNotEnded(row) : t('user:totp.off'),
      run: () => void resetTotp(row),
    },
    {
      key: 'remove',
      label: t('kit:delete'),
      icon: IconTrash,
      permission: userDeletePermission,
      danger: true,
      reason: whyNotEnded(row),
      run: () =>
        void deleteRow({
          call: deleteUser,
          body: { userId: row.user_id },
          title: t('user:remove.title', { name: row.username }),
          text: t('user:remove.text'),
          done: t('user:remove.done', { name: row.username }),
          refreshes: [getUserList],
        }),
    },
  ],
  Actions,
  empty: () => (
    <Empty title={t('user:first.title')} text={t('user:first.text')} action={<editor.CreateButton />} />
  ),
})
