import { IconCopy, IconListDetails, IconTrash } from '@tabler/icons-react'
import type { Word } from '#schema/kit/words.gen'
import {
  addTemplate,
  copyTemplate,
  deleteTemplate,
  getTemplateList,
  modifyTemplate,
  templateListScreen,
} from '#schema/monitor/collection-template'
import { templateEditPermission } from '#schema/monitor/variable-pages'
import { Empty } from '../kit/empty.tsx'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listEditor } from '../kit/list/list-editor.tsx'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter } from '../kit/list/list-types.ts'
import { goTo } from '../kit/navigation.ts'
import { When } from '../kit/time.tsx'
import { TemplateImportButton } from '../monitor/import-buttons.tsx'
import {
  Reach,
  type Template,
  templateFields,
  templateTypeOptions,
  templateValues,
} from '../monitor/template-fields.tsx'
import { isPlatformUser, useCustomerOptions } from '../people/people-options.ts'

export const words: readonly Word[] = ['collection-template', 'variable']

const columns: readonly Column<Template>[] = [
  { key: 'name', title: 'collection-template:field.name', width: 220, pinned: 'left', card: 'title' },
  {
    key: 'type',
    title: 'collection-template:field.type',
    width: 180,
    render: (row) => t(`collection-template:type.${row.type}`),
    text: (row) => t(`collection-template:type.${row.type}`),
  },
  { key: 'vendor', title: 'collection-template:field.vendor', width: 140 },
  { key: 'variableCount', title: 'collection-template:field.variables', width: 100, numeric: true },
  { key: 'terminalCount', title: 'collection-template:field.terminals', width: 100, numeric: true },
  { key: 'customerName', title: 'collection-template:field.customer', width: 130, extra: true },
  { key: 'remark', title: 'collection-template:field.remark', width: 200, extra: true },
  {
    key: 'updatedAt',
    title: 'collection-template:field.updatedAt',
    width: 165,
    render: (row) => <When at={row.updatedAt} absolute />,
  },
]

const filters: readonly Filter[] = [
  { key: 'type', label: 'collection-template:field.type', useOptions: templateTypeOptions },
  {
    key: 'customerId',
    label: 'collection-template:field.customer',
    useOptions: useCustomerOptions,
    when: isPlatformUser,
  },
]

const pathOf = ({ id }: { id: number }) => `${templateListScreen.path}/${id}`

const editor = listEditor({
  list: getTemplateList,
  fields: templateFields,
  success: 'collection-template:saved',
  note: (row) => (row ? <Reach templateId={row.id} /> : null),
  create: {
    call: addTemplate,
    title: 'collection-template:create',
    permission: templateEditPermission,
    onDone: ({ id }) => goTo(pathOf({ id })),
  },
  edit: {
    call: modifyTemplate,
    title: 'collection-template:edit',
    permission: templateEditPermission,
    fixed: ({ id }) => ({ id }),
    values: templateValues,
  },
})

/** The copy is edited, not the template: `edit` only opens the form for a row. */
const copier = listEditor({
  list: getTemplateList,
  fields: () => [{ name: 'name', required: true }],
  success: 'collection-template:copied',
  edit: {
    call: copyTemplate,
    title: ({ name }) => t('collection-template:copyTitle', { name }),
    permission: templateEditPermission,
    fixed: ({ id }) => ({ id }),
    values: ({ name }) => ({ name: t('collection-template:copyName', { name }).slice(0, 64) }),
  },
})

export const Page = listPage({
  screen: templateListScreen,
  call: getTemplateList,
  rowKey: 'id',
  columns,
  filters,
  searchPlaceholder: 'collection-template:search',
  exportName: 'collection-templates',
  rowLink: pathOf,
  Actions: (context) => (
    <>
      <TemplateImportButton />
      <copier.Actions {...context} />
      <editor.Actions {...context} />
    </>
  ),
  rowActions: (row) => [
    {
      key: 'open',
      label: t('collection-template:open'),
      icon: IconListDetails,
      run: () => goTo(pathOf(row)),
    },
    { ...editor.edit(row), reason: row.changeable ? null : t('collection-template:locked') },
    { ...copier.edit(row), key: 'copy', label: t('collection-template:copy'), icon: IconCopy },
    {
      key: 'delete',
      label: t('kit:delete'),
      icon: IconTrash,
      permission: templateEditPermission,
      danger: true,
      reason: !row.changeable
        ? t('collection-template:locked')
        : row.terminalCount > 0
          ? t('collection-template:inUse', { count: row.terminalCount })
          : null,
      run: () =>
        void deleteRow({
          call: deleteTemplate,
          body: { id: row.id },
          title: t('collection-template:remove.title', { name: row.name }),
          text: t('collection-template:remove.text'),
          done: t('collection-template:remove.done', { name: row.name }),
          refreshes: [getTemplateList],
        }),
    },
  ],
  empty: () => (
    <Empty
      title={t('collection-template:first.title')}
      text={t('collection-template:first.text')}
      action={<editor.CreateButton />}
    />
  ),
})
