import { IconTrash } from '@tabler/icons-react'
import {
  addDataPlan,
  dataPlanEditPermission,
  dataPlanScreen,
  deleteDataPlan,
  getDataPlanList,
  modifyDataPlan,
} from '#schema/device/data-plan'
import type { Word } from '#schema/kit/words.gen'
import { Empty } from '../kit/empty.tsx'
import type { Field } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listEditor } from '../kit/list/list-editor.tsx'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Row } from '../kit/list/list-types.ts'
import { When } from '../kit/time.tsx'
import { isPlatformUser, useCustomerOptions } from '../people/people-options.ts'

export const words: readonly Word[] = ['data-plan']

type DataPlan = Row<typeof getDataPlanList>

const columns: readonly Column<DataPlan>[] = [
  { key: 'name', title: 'data-plan:field.name', width: 180, pinned: 'left', card: 'title' },
  { key: 'carrier', title: 'data-plan:field.carrier', width: 150 },
  { key: 'monthlyMib', title: 'data-plan:field.monthlyMib', width: 150, numeric: true },
  { key: 'remark', title: 'data-plan:field.remark', width: 240 },
  { key: 'customerName', title: 'data-plan:field.customer', width: 130, extra: true },
  {
    key: 'updatedAt',
    title: 'data-plan:field.updatedAt',
    width: 165,
    render: (row) => <When at={row.updatedAt} absolute />,
  },
]

const fields = (row: DataPlan | null): readonly Field[] => [
  ...(row === null
    ? [
        {
          name: 'customerId',
          label: 'data-plan:field.customer',
          required: true,
          useOptions: useCustomerOptions,
          when: isPlatformUser,
        } as const,
      ]
    : []),
  { name: 'name', label: 'data-plan:field.name', required: true },
  { name: 'carrier', label: 'data-plan:field.carrier', required: true },
  { name: 'monthlyMib', label: 'data-plan:field.monthlyMib', required: true },
  { name: 'remark', label: 'data-plan:field.remark' },
]

const editor = listEditor({
  list: getDataPlanList,
  fields,
  success: 'data-plan:saved',
  create: { call: addDataPlan, title: 'data-plan:create', permission: dataPlanEditPermission },
  edit: {
    call: modifyDataPlan,
    title: 'data-plan:edit',
    permission: dataPlanEditPermission,
    fixed: ({ id }) => ({ id }),
    values: ({ name, carrier, monthlyMib, remark }) => ({ name, carrier, monthlyMib, remark: remark ?? '' }),
  },
})

export const Page = listPage({
  screen: dataPlanScreen,
  call: getDataPlanList,
  rowKey: 'id',
  columns,
  searchPlaceholder: 'data-plan:search',
  exportName: 'data-plans',
  Actions: editor.Actions,
  rowActions: (row) => [
    editor.edit(row),
    {
      key: 'delete',
      label: t('kit:delete'),
      icon: IconTrash,
      permission: dataPlanEditPermission,
      danger: true,
      run: () =>
        void deleteRow({
          call: deleteDataPlan,
          body: { id: row.id },
          title: t('data-plan:remove.title'),
          text: t('data-plan:remove.text', { name: row.name }),
          done: t('data-plan:remove.done', { name: row.name }),
          refreshes: [getDataPlanList],
        }),
    },
  ],
  empty: () => (
    <Empty
      title={t('data-plan:first.title')}
      text={t('data-plan:first.text')}
      action={<editor.CreateButton />}
    />
  ),
})
