import { IconTrash } from '@tabler/icons-react'
import type { Word } from '#schema/kit/words.gen'
import {
  addPanel,
  deletePanel,
  getPanelList,
  modifyPanel,
  panelEditPermission,
  panelListScreen,
} from '#schema/monitor/panel'
import { panelTemplates } from '#schema/monitor/panel-templates'
import { Empty } from '../kit/empty.tsx'
import type { Field } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listEditor } from '../kit/list/list-editor.tsx'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Row } from '../kit/list/list-types.ts'
import { goTo } from '../kit/navigation.ts'
import { When } from '../kit/time.tsx'
import { ofProjects, useProjectOptions } from '../monitor/place-filters.ts'

export const words: readonly Word[] = ['panel', 'project']

type Panel = Row<typeof getPanelList>

const columns: readonly Column<Panel>[] = [
  { key: 'name', title: 'panel:field.name', width: 220, pinned: 'left', card: 'title' },
  { key: 'projectName', title: 'panel:field.project', width: 200 },
  { key: 'widgetCount', title: 'panel:field.widgets', width: 110, numeric: true },
  { key: 'customerName', title: 'panel:field.customer', width: 150, extra: true },
  {
    key: 'updatedAt',
    title: 'panel:field.updatedAt',
    width: 165,
    render: (row) => <When at={row.updatedAt} absolute />,
  },
]

const nameField: Field = { name: 'name', required: true }
const newFields: readonly Field[] = [
  { name: 'projectId', required: true, useOptions: useProjectOptions },
  nameField,
  {
    name: 'template',
    hint: 'panel:hint.template',
    useOptions: () => panelTemplates.map((value) => ({ value, label: t(`panel:template.${value}`) })),
  },
]

const pathOf = ({ id }: { id: number }) => `${panelListScreen.path}/${id}`

const editor = listEditor({
  list: getPanelList,
  fields: (row) => (row === null ? newFields : [nameField]),
  success: 'panel:saved',
  create: {
    call: addPanel,
    title: 'panel:create',
    permission: panelEditPermission,
    onDone: (made) => goTo(`${pathOf(made)}?edit=true`),
  },
  edit: {
    call: modifyPanel,
    title: 'panel:rename',
    permission: panelEditPermission,
    fixed: ({ id }) => ({ id }),
    values: ({ name }) => ({ name }),
  },
})

export const Page = listPage({
  screen: panelListScreen,
  call: getPanelList,
  rowKey: 'id',
  columns,
  filters: [
    {
      key: 'projectId',
      label: 'panel:field.project',
      ...ofProjects,
    },
  ],
  searchPlaceholder: 'panel:search',
  exportName: 'panels',
  rowLink: pathOf,
  Actions: editor.Actions,
  rowActions: (row) => [
    editor.edit(row),
    {
      key: 'delete',
      label: t('kit:delete'),
      icon: IconTrash,
      permission: panelEditPermission,
      danger: true,
      run: () =>
        void deleteRow({
          call: deletePanel,
          body: { id: row.id },
          title: t('panel:remove.title', { name: row.name }),
          text: t('panel:remove.text'),
          done: t('panel:remove.done', { name: row.name }),
          refreshes: [getPanelList],
        }),
    },
  ],
  empty: () => (
    <Empty title={t('panel:none.title')} text={t('panel:none.text')} action={<editor.CreateButton />} />
  ),
})
