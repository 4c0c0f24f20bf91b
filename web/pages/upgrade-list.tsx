import { Group, Stack, Text } from '@mantine/core'
import { IconPackageImport, IconPlus, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { Word } from '#schema/kit/words.gen'
import { taskStatuses } from '#schema/task/task'
import { getLevelUpList } from '#schema/task/upgrade'
import {
  upgradeCreatePermission,
  upgradeDeletePermission,
  upgradeListScreen,
} from '#schema/task/upgrade-pages'
import { ActionButton } from '../kit/action-button.tsx'
import { Empty } from '../kit/empty.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter } from '../kit/list/list-types.ts'
import { goTo } from '../kit/navigation.ts'
import { When } from '../kit/time.tsx'
import { pausedText, TaskChip, type TaskRow } from '../task/upgrade-chips.tsx'
import { deleteTask, whyNotDeleted } from '../task/upgrade-control.tsx'
import { barText, ThinStepBar } from '../task/upgrade-step-bar.tsx'
import { useWizardAddress } from '../task/upgrade-wizard-address.ts'

export const words: readonly Word[] = ['upgrade', 'task', 'package']

const columns: readonly Column<TaskRow>[] = [
  {
    key: 'name',
    title: 'upgrade:field.name',
    width: 200,
    pinned: 'left',
    card: 'title',
    render: (row) => (
      <Text span fw={600} truncate title={row.description || undefined}>
        {row.name}
      </Text>
    ),
  },
  {
    key: 'status',
    title: 'upgrade:field.status',
    width: 145,
    card: 'beside',
    render: (row) => <TaskChip task={row} brief />,
    text: (row) =>
      row.paused
        ? t(row.paused.reason === 'failures' ? 'upgrade:status.stopped' : 'upgrade:status.paused')
        : t(`upgrade:status.${row.status}`),
  },
  {
    key: 'counts',
    title: 'upgrade:field.progress',
    width: 220,
    render: (row) => (
      <Stack gap={4} py={4}>
        <ThinStepBar counts={row.counts} />
        <Group gap="0 8px" fz="xs" lh="xs" c="dimmed" className="tabular">
          <span>
            {t('upgrade:doneOf', { done: number(row.counts.done), total: number(row.counts.total) })}
          </span>
          {row.counts.failed > 0 ? (
            <Text span fz="xs" c="var(--critical)">
              {t('upgrade:failedCount', { count: row.counts.failed })}
            </Text>
          ) : null}
          {row.counts.cancelled > 0 ? (
            <span>{t('upgrade:cancelledCount', { count: row.counts.cancelled })}</span>
          ) : null}
        </Group>
        {row.paused ? (
          <Text
            fz="xs"
            style={{ whiteSpace: 'normal' }}
            c={row.paused.reason === 'failures' ? 'var(--critical)' : 'var(--warning)'}
          >
            {pausedText(row.paused)}
          </Text>
        ) : null}
      </Stack>
    ),
    text: (row) => barText(row.counts),
  },
  {
    key: 'version',
    title: 'upgrade:field.package',
    width: 190,
    render: (row) => `${row.packageName} ${row.version}`,
    text: (row) => `${row.packageName} ${row.version}`,
  },
  { key: 'model', title: 'upgrade:field.model', width: 80 },
  {
    key: 'startAt',
    title: 'upgrade:field.startAt',
    width: 165,
    render: (row) => <When at={row.startAt} absolute />,
  },
  { key: 'createdBy', title: 'upgrade:field.createdBy', width: 115 },
  {
    key: 'createdAt',
    title: 'upgrade:field.createdAt',
    width: 170,
    extra: true,
    render: (row) => <When at={row.createdAt} absolute />,
  },
  {
    key: 'completedAt',
    title: 'upgrade:field.completedAt',
    width: 170,
    extra: true,
    render: (row) => <When at={row.completedAt} absolute />,
  },
  { key: 'customerName', title: 'upgrade:field.customer', width: 140, extra: true },
  { key: 'description', title: 'upgrade:field.description', width: 220, extra: true },
]

const filters: readonly Filter[] = [
  {
    key: 'status',
    label: 'upgrade:field.status',
    useOptions: () => taskStatuses.map((value) => ({ value, label: t(`upgrade:status.${value}`) })),
  },
]

function NewUpgrade() {
  const [, setAddress] = useWizardAddress()
  return (
    <ActionButton
      icon={IconPlus}
      label={t('upgrade:wizard.title')}
      permission={upgradeCreatePermission}
      onPress={() => void setAddress({ new: '1' })}
    />
  )
}

const detailPath = (row: TaskRow) => `/task/upgrade/${row.taskId}`

const List = listPage({
  screen: upgradeListScreen,
  call: getLevelUpList,
  rowKey: 'taskId',
  columns,
  filters,
  searchPlaceholder: 'upgrade:searchPlaceholder',
  exportName: 'upgrades',
  refreshS: 5,
  rowLink: detailPath,
  rowActions: (row) => [
    {
      key: 'detail',
      label: t('upgrade:watch'),
      icon: IconPackageImport,
      run: () => goTo(detailPath(row)),
    },
    {
      key: 'delete',
      label: t('upgrade:delete.verb'),
      icon: IconTrash,
      permission: upgradeDeletePermission,
      reason: whyNotDeleted(row),
      danger: true,
      run: () => void deleteTask(row),
    },
  ],
  Actions: NewUpgrade,
  empty: () => (
    <Empty title={t('upgrade:first.title')} text={t('upgrade:first.text')} action={<NewUpgrade />} />
  ),
})

const UpgradeWizard = lazy(() =>
  import('../task/upgrade-wizard.tsx').then((module) => ({ default: module.UpgradeWizard })),
)

export function Page() {
  const [address] = useWizardAddress()
  const open = address.new === '1'
  // Fetched when first opened; then it stays, because closing is animated.
  const [fetched, setFetched] = useState(open)
  if (open && !fetched) setFetched(true)
  return (
    <>
      <List />
      <Suspense>{fetched ? <UpgradeWizard /> : null}</Suspense>
    </>
  )
}
