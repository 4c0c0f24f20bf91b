import { IconTrash } from '@tabler/icons-react'
import type { Word } from '#schema/kit/words.gen'
import {
  addSnippet,
  deleteSnippet,
  getSnippetList,
  modifySnippet,
  snippetEditPermission,
  snippetScreen,
} from '#schema/remote/snippet'
import { Empty } from '../kit/empty.tsx'
import type { Field } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listEditor } from '../kit/list/list-editor.tsx'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Row } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { When } from '../kit/time.tsx'
import { isPlatformUser, useCustomerOptions } from '../people/people-options.ts'

export const words: readonly Word[] = ['snippet']

type Snippet = Row<typeof getSnippetList>

const columns: readonly Column<Snippet>[] = [
  { key: 'name', title: 'snippet:field.name', width: 180, pinned: 'left', card: 'title' },
  {
    key: 'text',
    title: 'snippet:field.text',
    width: 360,
    prose: true,
    render: (row) => <Mono value={row.text} />,
  },
  {
    key: 'enter',
    title: 'snippet:field.enter',
    width: 110,
    render: (row) => t(row.enter ? 'snippet:yes' : 'snippet:no'),
    text: (row) => t(row.enter ? 'snippet:yes' : 'snippet:no'),
  },
  { key: 'customerName', title: 'snippet:field.customer', width: 130, extra: true },
  {
    key: 'createdAt',
    title: 'snippet:field.createdAt',
    width: 165,
    render: (row) => <When at={row.createdAt} absolute />,
  },
]

const fields = (row: Snippet | null): readonly (Field | string)[] => [
  ...(row === null
    ? [{ name: 'customerId', required: true, useOptions: useCustomerOptions, when: isPlatformUser } as const]
    : []),
  { name: 'name', required: true },
  { name: 'text', required: true, hint: 'snippet:hint.text', placeholder: 'ip route show' },
  'enter',
]

const editor = listEditor({
  list: getSnippetList,
  fields,
  success: 'snippet:saved',
  create: {
    call: addSnippet,
    title: 'snippet:create',
    permission: snippetEditPermission,
    initial: { enter: true },
  },
  edit: {
    call: modifySnippet,
    title: 'snippet:edit',
    permission: snippetEditPermission,
    fixed: ({ id }) => ({ snippetId: id }),
    values: ({ name, text, enter }) => ({ name, text, enter }),
  },
})

export const Page = listPage({
  screen: snippetScreen,
  line: 'snippet:line',
  call: getSnippetList,
  rowKey: 'id',
  columns,
  searchPlaceholder: 'snippet:search',
  exportName: 'snippets',
  Actions: editor.Actions,
  rowActions: (row) => [
    editor.edit(row),
    {
      key: 'delete',
      label: t('kit:delete'),
      icon: IconTrash,
      permission: snippetEditPermission,
      danger: true,
      run: () =>
        void deleteRow({
          call: deleteSnippet,
          body: { snippetId: row.id },
          title: t('snippet:remove.title', { name: row.name }),
          text: t('snippet:remove.text'),
          done: t('snippet:remove.done'),
          refreshes: [getSnippetList],
        }),
    },
  ],
  empty: () => <Empty title={t('snippet:none')} text={t('snippet:noneText')} />,
})
