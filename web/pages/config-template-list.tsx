import { Text } from '@mantine/core'
import { IconPencil, IconPlus, IconSend, IconTrash, IconVariable } from '@tabler/icons-react'
import { parseAsString, useQueryState } from 'nuqs'
import { Suspense } from 'react'
import {
  configTemplateEditPermission,
  configTemplateScreen,
  deleteConfigTemplate,
  getConfigTemplateList,
} from '#schema/config/config-template'
import { configVariableScreen } from '#schema/config/config-variable'
import type { Word } from '#schema/kit/words.gen'
import type { ManyWanted } from '../config/config-many.tsx'
import { ActionButton } from '../kit/action-button.tsx'
import { lazy } from '../kit/chunk.ts'
import { Empty } from '../kit/empty.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Row } from '../kit/list/list-types.ts'
import { openOver } from '../kit/list/url-drawers.ts'
import { goTo } from '../kit/navigation.ts'
import { opener } from '../kit/opener.ts'
import { When } from '../kit/time.tsx'
import { isConfined } from '../people/people-options.ts'

export const words: readonly Word[] = ['config-template', 'config-many', 'config']

type Template = Row<typeof getConfigTemplateList>

const settingsText = ({ fields }: Template): string => {
  const count = Object.values(fields).reduce((sum, names) => sum + names.length, 0)
  const pages = Object.keys(fields).length
  return pages > 1
    ? t('config-template:settingsOnPages', { count, pages })
    : t('config-template:settings', { count })
}
const whereText = ({ everywhere, groups, deviceCount }: Template): string =>
  [
    everywhere ? t('config-template:field.everywhere') : null,
    ...groups.map(({ name }) => name),
    deviceCount > 0 ? t('config-template:devices', { count: deviceCount }) : null,
  ]
    .filter(Boolean)
    .join(t('kit:comma')) || t('config-template:nowhere')
const behindText = ({ behind, faulty, counting }: Template): string =>
  [
    number(behind),
    faulty > 0 ? t('config-template:faultyCount', { count: faulty }) : null,
    counting > 0 ? t('config-template:counting') : null,
  ]
    .filter(Boolean)
    .join(' · ')

const columns: readonly Column<Template>[] = [
  {
    key: 'name',
    title: 'config-template:field.name',
    width: 170,
    pinned: 'left',
    card: 'title',
    render: (row) => (
      <Text span fw={600} truncate display="block">
        {row.name}
      </Text>
    ),
  },
  {
    key: 'fields',
    title: 'config-template:column.settings',
    width: 160,
    render: settingsText,
    text: settingsText,
  },
  { key: 'groups', title: 'config-template:column.where', width: 160, render: whereText, text: whereText },
  {
    key: 'reached',
    title: 'config-template:column.reached',
    width: 90,
    numeric: true,
    render: (row) => number(row.reached),
  },
  {
    key: 'behind',
    title: 'config-template:column.behind',
    width: 120,
    numeric: true,
    render: behindText,
    text: behindText,
  },
  { key: 'remark', title: 'config-template:field.remark', width: 140 },
  {
    key: 'updatedAt',
    title: 'config-template:column.updatedAt',
    width: 150,
    render: (row) => <When at={row.updatedAt} />,
  },
  { key: 'updatedBy', title: 'config-template:column.updatedBy', width: 120, extra: true },
  { key: 'customerName', title: 'config-template:field.customerId', width: 140, extra: true },
]

const TemplateEditor = lazy(() =>
  import('../config/template-editor.tsx').then((module) => ({ default: module.TemplateEditor })),
)

const ConfigMany = lazy(() =>
  import('../config/config-many.tsx').then((module) => ({ default: module.ConfigMany })),
)
const applying = opener<ManyWanted>()

const open = (id: number | 'new') => openOver(configTemplateScreen.path, 'template', String(id))

function NewButton() {
  // They hold for any device of the customer.
  if (isConfined()) return null
  return (
    <ActionButton
      rank="primary"
      icon={IconPlus}
      label={t('config-template:create')}
      permission={configTemplateEditPermission}
      onPress={() => open('new')}
    />
  )
}

/** `?template=` is the one that is edited, or `new`; `from` is the device whose settings a new one begins with. */
function Actions() {
  const [template, setTemplate] = useQueryState('template', parseAsString.withDefault(''))
  const [from, setFrom] = useQueryState('from', parseAsString.withDefault(''))
  const close = () => {
    void setTemplate(null)
    void setFrom(null)
  }
  const now = applying.useOpened()
  const id = template === 'new' ? null : Number(template)
  return (
    <>
      <ActionButton
        icon={IconVariable}
        label={t('config-template:variables')}
        onPress={() => goTo(configVariableScreen.path)}
      />
      <NewButton />
      <Suspense>
        {template === '' || Number.isNaN(id) ? null : (
          <TemplateEditor
            key={`${template} ${from}`}
            opened
            onClose={close}
            edited={{ id, ...(Number(from) > 0 ? { fromId: Number(from) } : {}) }}
          />
        )}
        {now ? <ConfigMany key={now.turn} {...now.what} opened={now.shown} onClose={applying.close} /> : null}
      </Suspense>
    </>
  )
}

export const Page = listPage({
  screen: configTemplateScreen,
  line: 'config-template:about',
  call: getConfigTemplateList,
  rowKey: 'id',
  columns,
  searchPlaceholder: 'config-template:searchPlaceholder',
  exportName: 'configuration-templates',
  refreshS: 5,
  rowActions: (row) => [
    {
      key: 'edit',
      label: t('config-template:edit'),
      icon: IconPencil,
      permission: configTemplateEditPermission,
      run: () => open(row.id),
    },
    {
      key: 'apply',
      label: t('config-template:apply'),
      icon: IconSend,
      permission: configTemplateEditPermission,
      reason: row.reached === 0 ? t('config-template:applyNone') : null,
      run: () =>
        applying.show({
          many: { name: row.name, count: row.reached, selection: { filter: { templateId: row.id } } },
          by: 'templates',
        }),
    },
    {
      key: 'remove',
      label: t('config-template:delete.verb'),
      icon: IconTrash,
      permission: configTemplateEditPermission,
      danger: true,
      run: () =>
        void deleteRow({
          call: deleteConfigTemplate,
          body: { id: row.id },
          title: t('config-template:delete.title'),
          text: t('config-template:delete.text', { name: row.name }),
          done: t('config-template:delete.done', { name: row.name }),
          refreshes: [getConfigTemplateList],
        }),
    },
  ],
  Actions,
  empty: () => (
    <Empty
      title={t('config-template:first.title')}
      text={t('config-template:first.text')}
      action={<NewButton />}
    />
  ),
})
