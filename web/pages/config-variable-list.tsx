import { IconTrash } from '@tabler/icons-react'
import { configTemplateEditPermission } from '#schema/config/config-template'
import {
  addConfigVariable,
  configVariableScreen,
  deleteConfigVariable,
  getConfigVariableList,
  modifyConfigVariable,
} from '#schema/config/config-variable'
import type { Word } from '#schema/kit/words.gen'
import { variableValues } from '../config/variable-values.tsx'
import { Empty } from '../kit/empty.tsx'
import type { Field } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listEditor } from '../kit/list/list-editor.tsx'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Row } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { When } from '../kit/time.tsx'
import { isConfined, isPlatformUser, useCustomerOptions } from '../people/people-options.ts'

export const words: readonly Word[] = ['config-variable', 'alarm']

type Variable = Row<typeof getConfigVariableList>

const valuesText = ({ values }: Variable): string =>
  values
    .map(({ groupName, deviceSn, value }) =>
      t('kit:labelled', { label: deviceSn ?? groupName ?? t('config-variable:wholeCustomer'), text: value }),
    )
    .join(' · ')

const columns: readonly Column<Variable>[] = [
  {
    key: 'name',
    title: 'config-variable:field.name',
    width: 160,
    pinned: 'left',
    card: 'title',
    render: (row) => <Mono value={row.name} />,
  },
  { key: 'values', title: 'config-variable:field.values', width: 250, render: valuesText, text: valuesText },
  { key: 'remark', title: 'config-variable:field.remark', width: 170 },
  {
    key: 'isSecret',
    title: 'config-variable:field.isSecret',
    width: 90,
    render: (row) => (row.isSecret ? t('config-variable:field.isSecret') : ''),
    text: (row) => (row.isSecret ? t('config-variable:field.isSecret') : ''),
  },
  {
    key: 'updatedAt',
    title: 'config-variable:column.updatedAt',
    width: 150,
    render: (row) => <When at={row.updatedAt} />,
  },
  { key: 'customerName', title: 'config-variable:field.customerId', width: 140, extra: true },
]

// One component each for new ones and for those of a customer: a new one would lose the focus while typing.
const draws = new Map<number | undefined, Field['Draw']>()
function valuesOf(customerId: number | undefined) {
  const known = draws.get(customerId) ?? variableValues(customerId)
  draws.set(customerId, known)
  return known
}

const editor = listEditor({
  list: getConfigVariableList,
  success: 'config-variable:saved',
  fields: (row) => [
    ...(row === null
      ? [
          {
            name: 'customerId',
            required: true,
            useOptions: useCustomerOptions,
            empties: ['values'],
            when: isPlatformUser,
          } as const,
          { name: 'name', hint: 'config-variable:hint.name', required: true } as const,
          { name: 'isSecret', hint: 'config-variable:hint.isSecret' } as const,
        ]
      : []),
    'remark',
    { name: 'values', Draw: valuesOf(row?.customerId) },
  ],
  create: {
    call: addConfigVariable,
    title: 'config-variable:create',
    permission: configTemplateEditPermission,
  },
  edit: {
    call: modifyConfigVariable,
    title: 'config-variable:edit',
    permission: configTemplateEditPermission,
    fixed: ({ id }) => ({ id }),
    values: ({ remark, values }) => ({
      remark: remark ?? '',
      values: values.map(({ groupId, deviceSn, value }) => ({
        value,
        ...(deviceSn === null ? (groupId === null ? {} : { groupId: String(groupId) }) : { deviceSn }),
      })),
    }),
  },
})

export const Page = listPage({
  screen: configVariableScreen,
  line: 'config-variable:about',
  call: getConfigVariableList,
  rowKey: 'id',
  columns,
  searchPlaceholder: 'config-variable:searchPlaceholder',
  exportName: 'template-variables',
  rowActions: (row) => [
    editor.edit(row),
    {
      key: 'remove',
      label: t('config-variable:delete.verb'),
      icon: IconTrash,
      permission: configTemplateEditPermission,
      danger: true,
      run: () =>
        void deleteRow({
          call: deleteConfigVariable,
          body: { id: row.id },
          title: t('config-variable:delete.title'),
          text: t('config-variable:delete.text', { name: row.name }),
          done: t('config-variable:delete.done', { name: row.name }),
          refreshes: [getConfigVariableList],
        }),
    },
  ],
  // Templates use them for any device of the customer.
  Actions: (context) => (isConfined() ? null : <editor.Actions {...context} />),
  empty: () => (
    <Empty
      title={t('config-variable:first.title')}
      text={t('config-variable:first.text')}
      action={isConfined() ? undefined : <editor.CreateButton />}
    />
  ),
})
