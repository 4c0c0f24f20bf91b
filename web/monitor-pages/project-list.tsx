import { IconGauge, IconTrash } from '@tabler/icons-react'
import type { Word } from '#schema/kit/words.gen'
import {
  addProject,
  deleteProject,
  getProjectList,
  modifyProject,
  projectEditPermission,
  projectScreen,
} from '#schema/monitor/project'
import { variableScreen } from '#schema/monitor/variable-pages'
import { Empty } from '../kit/empty.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { countColumn } from '../kit/list/count-column.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listEditor } from '../kit/list/list-editor.tsx'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter, Row } from '../kit/list/list-types.ts'
import { goTo } from '../kit/navigation.ts'
import { holdsScreen } from '../kit/session.ts'
import { When } from '../kit/time.tsx'
import { projectFields, projectTypeOptions } from '../monitor/project-fields.tsx'
import { isPlatformUser, useCustomerOptions } from '../people/people-options.ts'

export const words: readonly Word[] = ['project']

type Project = Row<typeof getProjectList>

const share = (n: number, total: number) =>
  total === 0 ? '–' : t('project:of', { n: number(n), total: number(total) })

const daysText = ({ historyDays }: Project) =>
  historyDays === null ? t('project:history.asPlatform') : t('project:history.days', { count: historyDays })

const columns: readonly Column<Project>[] = [
  { key: 'name', title: 'project:field.name', width: 180, pinned: 'left', card: 'title' },
  {
    key: 'type',
    title: 'project:field.type',
    width: 120,
    render: (row) => t(`project:type.${row.type}`),
    text: (row) => t(`project:type.${row.type}`),
  },
  { key: 'groupName', title: 'project:field.group', width: 130 },
  {
    key: 'deviceCount',
    title: 'project:field.devices',
    width: 150,
    numeric: true,
    render: (row) => share(row.onlineCount, row.deviceCount),
    csv: false,
  },
  {
    key: 'terminalCount',
    title: 'project:field.terminals',
    width: 175,
    numeric: true,
    render: (row) => share(row.answeringCount, row.terminalCount),
    csv: false,
  },
  countColumn('devicesOnline', 'project:field.devicesOnline', (row) => row.onlineCount),
  countColumn('devicesAll', 'project:field.devicesAll', (row) => row.deviceCount),
  countColumn('terminalsAnswering', 'project:field.terminalsAnswering', (row) => row.answeringCount),
  countColumn('terminalsAll', 'project:field.terminalsAll', (row) => row.terminalCount),
  {
    key: 'userName',
    title: 'project:field.user',
    width: 130,
    render: (row) => nameText(row.userName),
    text: (row) => nameText(row.userName),
  },
  {
    key: 'historyDays',
    title: 'project:field.historyDays',
    width: 130,
    extra: true,
    render: daysText,
    text: daysText,
  },
  { key: 'customerName', title: 'project:field.customer', width: 130, extra: true },
  {
    key: 'creatorName',
    title: 'project:field.creator',
    width: 130,
    extra: true,
    render: (row) => nameText(row.creatorName),
    text: (row) => nameText(row.creatorName),
  },
  {
    key: 'createdAt',
    title: 'project:field.createdAt',
    width: 165,
    render: (row) => <When at={row.createdAt} absolute />,
  },
]

const filters: readonly Filter[] = [
  { key: 'type', label: 'project:field.type', useOptions: projectTypeOptions },
  {
    key: 'customerId',
    label: 'project:field.customer',
    useOptions: useCustomerOptions,
    when: isPlatformUser,
  },
]

const editor = listEditor({
  list: getProjectList,
  fields: (row) => projectFields(row?.id ?? null),
  success: 'project:saved',
  create: { call: addProject, title: 'project:create', permission: projectEditPermission },
  edit: {
    call: modifyProject,
    title: 'project:edit',
    permission: projectEditPermission,
    fixed: ({ id }) => ({ id }),
    values: ({ name, type, userId, historyDays }) => ({
      name,
      type,
      userId: userId === null ? '' : String(userId),
      historyDays: historyDays ?? '',
    }),
  },
})

export const Page = listPage({
  screen: projectScreen,
  call: getProjectList,
  rowKey: 'id',
  columns,
  filters,
  searchPlaceholder: 'project:search',
  exportName: 'projects',
  refreshS: 10,
  Actions: editor.Actions,
  rowActions: (row) => [
    editor.edit(row),
    ...(holdsScreen(variableScreen)
      ? [
          {
            key: 'values',
            label: t('project:values'),
            icon: IconGauge,
            run: () => goTo(`${variableScreen.path}?projectId=${row.id}`),
          },
        ]
      : []),
    {
      key: 'delete',
      label: t('kit:delete'),
      icon: IconTrash,
      permission: projectEditPermission,
      danger: true,
      run: () =>
        void deleteRow({
          call: deleteProject,
          body: { id: row.id },
          title: t('project:remove.title', { name: row.name }),
          text: t('project:remove.text'),
          done: t('project:remove.done', { name: row.name }),
          refreshes: [getProjectList],
        }),
    },
  ],
  empty: () => (
    <Empty title={t('project:first.title')} text={t('project:first.text')} action={<editor.CreateButton />} />
  ),
})
