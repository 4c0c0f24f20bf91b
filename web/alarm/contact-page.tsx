import { IconTrash } from '@tabler/icons-react'
import {
  contactEditPermission,
  createContact,
  deleteContact,
  getContactList,
  updateContact,
} from '#schema/alarm/contact'
import type { Screen } from '#schema/kit/screen'
import { Empty } from '../kit/empty.tsx'
import type { Field } from '../kit/form/form-model.ts'
import { t, textsIn } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listEditor } from '../kit/list/list-editor.tsx'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Row } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { When } from '../kit/time.tsx'
import { isPlatformUser, useCustomerOptions } from '../people/people-options.ts'

type Contact = Row<typeof getContactList>
const eventsText = ({ events }: Contact) =>
  events.map((event) => t(`alarm:notice.${event}`)).join(t('kit:comma'))
const columns: readonly Column<Contact>[] = [
  { key: 'name', title: 'contact:field.name', width: 150, pinned: 'left', card: 'title' },
  { key: 'phone', title: 'contact:field.phone', width: 150, render: (row) => <Mono value={row.phone} /> },
  { key: 'email', title: 'contact:field.email', width: 200 },
  { key: 'wechat', title: 'contact:field.wechat', width: 130 },
  { key: 'remark', title: 'contact:field.remark', width: 160 },
  {
    key: 'events',
    title: 'contact:field.events',
    width: 200,
    extra: true,
    render: eventsText,
    text: eventsText,
  },
  { key: 'ruleCount', title: 'contact:field.ruleCount', width: 110, numeric: true },
  { key: 'customerName', title: 'contact:field.customer', width: 130, extra: true },
  {
    key: 'createdAt',
    title: 'contact:field.createdAt',
    width: 165,
    render: (row) => <When at={row.createdAt} absolute />,
  },
]

const fields = (row: Contact | null): readonly (Field | string)[] => [
  ...(row === null
    ? [
        {
          name: 'customerId',
          required: true,
          useOptions: useCustomerOptions,
          when: isPlatformUser,
        } as const,
      ]
    : []),
  { name: 'name', required: true },
  { name: 'phone', required: true, placeholder: '+86 138 0000 0000' },
  { name: 'email', required: true },
  'wechat',
  'remark',
  { name: 'events', hint: 'alarm:channel.eventsHint', choices: () => textsIn('alarm:notice') },
]

const editor = listEditor({
  list: getContactList,
  fields,
  success: 'contact:saved',
  create: { call: createContact, title: 'contact:create', permission: contactEditPermission },
  edit: {
    call: updateContact,
    title: 'contact:edit',
    permission: contactEditPermission,
    fixed: ({ id }) => ({ contactId: id }),
    values: ({ name, phone, email, wechat, remark, events }) => ({
      name,
      phone,
      email,
      wechat: wechat ?? '',
      remark: remark ?? '',
      events,
    }),
  },
})

/** The page of contacts: each area has one. */
export const contactPage = (screen: Screen) =>
  listPage({
    screen,
    call: getContactList,
    rowKey: 'id',
    columns,
    searchPlaceholder: 'contact:search',
    exportName: 'contacts',
    Actions: editor.Actions,
    rowActions: (row) => [
      { ...editor.edit(row), reason: row.changeable ? null : t('contact:locked') },
      {
        key: 'delete',
        label: t('kit:delete'),
        icon: IconTrash,
        permission: contactEditPermission,
        danger: true,
        reason: row.ruleCount > 0 ? t('contact:inUse', { count: row.ruleCount }) : null,
        run: () =>
          void deleteRow({
            call: deleteContact,
            body: { contactId: row.id },
            title: t('contact:remove.title'),
            text: t('contact:remove.text', { name: row.name }),
            done: t('contact:remove.done', { name: row.name }),
            refreshes: [getContactList],
          }),
      },
    ],
    empty: () => (
      <Empty
        title={t('contact:first.title')}
        text={t('contact:first.text')}
        action={<editor.CreateButton />}
      />
    ),
  })
