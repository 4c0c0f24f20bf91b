import { Text } from '@mantine/core'
import { IconAdjustments, IconCopy, IconGitCompare, IconTemplate } from '@tabler/icons-react'
import { Suspense } from 'react'
import { configApplyPermission } from '#schema/config/commands/config'
import { configListScreen, getConfigList } from '#schema/config/config-list'
import { configStates } from '#schema/config/config-state'
import { configTemplateEditPermission, configTemplateScreen } from '#schema/config/config-template'
import type { Word } from '#schema/kit/words.gen'
import type { Compared } from '../config/config-compare.tsx'
import type { ManyWanted } from '../config/config-many.tsx'
import { ConfigStateChip } from '../config/config-state-chip.tsx'
import { detailPath, ofGroups, ofModels } from '../device/device-options.ts'
import { lazy } from '../kit/chunk.ts'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { BulkAction, Column, Row, Selection } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { goTo } from '../kit/navigation.ts'
import { opener } from '../kit/opener.ts'
import { When } from '../kit/time.tsx'
import { isConfined } from '../people/people-options.ts'

export const words: readonly Word[] = [
  'config',
  'config-list',
  'config-compare',
  'config-many',
  'config-template',
  'device',
  'task',
]

type Configured = Row<typeof getConfigList>

/** Its templates, and how far it is from them. */
function templateText({ templates, templateChanges, templateFaulty }: Configured): string {
  if (!templates) return ''
  const state = templateFaulty
    ? t('config-many:templatesFaulty')
    : templateChanges
      ? t('config-many:templatesDiffer', { count: templateChanges })
      : t('config-many:templatesAgree')
  return `${templates} · ${state}`
}

const columns: readonly Column<Configured>[] = [
  {
    key: 'deviceName',
    title: 'device:column.deviceName',
    width: 180,
    pinned: 'left',
    card: 'title',
    render: (row) => (
      <Text span fw={600} truncate display="block">
        {row.deviceName}
      </Text>
    ),
  },
  {
    key: 'configState',
    title: 'config-list:column.state',
    width: 130,
    card: 'beside',
    render: (row) => <ConfigStateChip state={row.configState} />,
    text: (row) => t(`config:state.${row.configState}`),
  },
  {
    key: 'templates',
    title: 'config-many:templates',
    width: 190,
    prose: true,
    card: 'seldom',
    render: (row) => templateText(row),
    text: (row) => templateText(row),
  },
  {
    key: 'drift',
    title: 'config-list:column.drift',
    width: 100,
    card: 'seldom',
    render: (row) => (row.drift > 0 ? number(row.drift) : ''),
    text: (row) => String(row.drift),
  },
  {
    key: 'edited',
    title: 'config-list:column.edited',
    width: 100,
    card: 'seldom',
    render: (row) => (row.edited > 0 ? number(row.edited) : ''),
    text: (row) => String(row.edited),
  },
  {
    key: 'ended',
    title: 'config-list:column.ended',
    width: 150,
    card: 'seldom',
    render: (row) => (row.ended ? t(`task:configEnd.${row.ended}`) : ''),
    text: (row) => (row.ended ? t(`task:configEnd.${row.ended}`) : ''),
  },
  {
    key: 'endedAt',
    title: 'config-list:column.endedAt',
    width: 150,
    card: 'seldom',
    render: (row) => (row.endedAt ? <When at={row.endedAt} /> : null),
  },
  {
    key: 'deviceSn',
    title: 'device:column.deviceSn',
    width: 140,
    render: (row) => <Mono value={row.deviceSn} />,
  },
  { key: 'groupName', title: 'device:column.groupName', width: 110 },
  { key: 'model', title: 'device:column.model', width: 80 },
  { key: 'firmware', title: 'device:column.firmware', width: 100, extra: true },
  { key: 'revision', title: 'config-list:column.revision', width: 90, extra: true },
  {
    key: 'readAt',
    title: 'config-list:column.readAt',
    width: 150,
    extra: true,
    render: (row) => <When at={row.readAt} />,
  },
]

const ConfigMany = lazy(() =>
  import('../config/config-many.tsx').then((module) => ({ default: module.ConfigMany })),
)
const ConfigCompare = lazy(() =>
  import('../config/config-compare.tsx').then((module) => ({ default: module.ConfigCompare })),
)
const drawer = opener<ManyWanted>()
const comparing = opener<Compared>()

function Drawers() {
  const now = drawer.useOpened()
  const compared = comparing.useOpened()
  return (
    <Suspense>
      {now ? <ConfigMany key={now.turn} {...now.what} opened={now.shown} onClose={drawer.close} /> : null}
      {compared ? (
        <ConfigCompare
          key={`compare ${compared.turn}`}
          opened={compared.shown}
          onClose={comparing.close}
          device={compared.what}
        />
      ) : null}
    </Suspense>
  )
}

const manyOf = (
  eligible: readonly Configured[],
  { all, count, filter, preview, clear }: Selection<Configured>,
): ManyWanted['many'] => ({
  name: null,
  count: all ? count : eligible.length,
  selection: all ? { filter } : { dids: eligible.map(({ deviceId }) => deviceId) },
  preview,
  after: clear,
})

const bulk: readonly BulkAction<Configured>[] = [
  {
    key: 'configure',
    label: 'config-many:open',
    icon: IconAdjustments,
    permission: configApplyPermission,
    onAll: true,
    excluded: (row) => (row.configState === 'unsupported' ? 'config:unsupported.title' : null),
    run: (eligible, selection) => drawer.show({ many: manyOf(eligible, selection), by: 'values' }),
  },
  {
    key: 'templates',
    label: 'config-many:applyTemplates',
    icon: IconTemplate,
    permission: configApplyPermission,
    onAll: true,
    excluded: (row) => (row.configState === 'unsupported' ? 'config:unsupported.title' : null),
    run: (eligible, selection) => drawer.show({ many: manyOf(eligible, selection), by: 'templates' }),
  },
]

const configPath = (row: Configured) => `${detailPath(row)}?tab=configuration`

export const Page = listPage({
  screen: configListScreen,
  line: 'config-list:about',
  call: getConfigList,
  rowKey: 'deviceId',
  columns,
  filters: [
    {
      key: 'configState',
      label: 'config-list:column.state',
      useOptions: () => configStates.map((state) => ({ value: state, label: t(`config:state.${state}`) })),
    },
    {
      key: 'groupId',
      label: 'device:filter.group',
      ...ofGroups,
    },
    {
      key: 'model',
      label: 'device:filter.model',
      ...ofModels,
    },
  ],
  searchPlaceholder: 'config-list:searchPlaceholder',
  exportName: 'device-configuration',
  refreshS: 10,
  rowLink: configPath,
  Actions: Drawers,
  bulk,
  rowActions: (row) => [
    {
      key: 'compare',
      label: t('config-compare:open'),
      icon: IconGitCompare,
      reason: row.readAt === null ? t('config:offer.unread') : null,
      run: () => comparing.show({ deviceId: row.deviceId, deviceName: row.deviceName }),
    },
    {
      key: 'copy',
      label: t('config-many:copyTo'),
      icon: IconCopy,
      permission: configApplyPermission,
      reason: row.readAt === null ? t('config:offer.unread') : null,
      run: () => drawer.show({ many: null, fromId: row.deviceId, by: 'values' }),
    },
    ...(isConfined()
      ? []
      : [
          {
            key: 'template',
            label: t('config-template:fromDevice'),
            icon: IconTemplate,
            permission: configTemplateEditPermission,
            reason: row.readAt === null ? t('config:offer.unread') : null,
            run: () => goTo(`${configTemplateScreen.path}?template=new&from=${row.deviceId}`),
          },
        ]),
  ],
})
