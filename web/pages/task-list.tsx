import { Group, Stack, Text } from '@mantine/core'
import { IconPackageImport, IconPlus, IconTrash } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { Word } from '#schema/kit/words.gen'
import { taskStatuses } from '#schema/task/moves'
import { getTaskList } from '#schema/task/task-calls'
import { taskDeletePermission, taskListScreen, upgradeCreatePermission } from '#schema/task/task-pages'
import { ActionButton } from '../kit/action-button.tsx'
import { lazy } from '../kit/chunk.ts'
import { Empty } from '../kit/empty.tsx'
import { number } from '../kit/format.ts'
import { t, tOr } from '../kit/i18n.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter } from '../kit/list/list-types.ts'
import { goTo } from '../kit/navigation.ts'
import { When } from '../kit/time.tsx'
import { isOurs, pausedStatus, pausedText, TaskChip, type TaskRow } from '../task/task-chips.tsx'
import { askToDelete, whyNotDeleted } from '../task/task-control.tsx'
import { kindText, taskKinds } from '../task/task-kinds.ts'
import { barText, ThinStepBar } from '../task/task-step-bar.tsx'
import { useWizardAddress } from '../task/upgrade-wizard-address.ts'

export const words: readonly Word[] = [
  'upgrade',
  'task',
  'package',
  'command',
  'command-many',
  'device-state',
  'severity',
  'rollout',
]

/** The package that it installs, or the command that it sends. */
const contentText = (row: TaskRow) =>
  row.command === null ? `${row.packageName} ${row.version}` : tOr(`command:name.${row.command}`, row.command)

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
    key: 'kind',
    title: 'upgrade:field.kind',
    width: 150,
    render: (row) => kindText(row.kind),
    text: (row) => kindText(row.kind),
  },
  {
    key: 'status',
    title: 'upgrade:field.status',
    width: 145,
    card: 'beside',
    render: (row) => <TaskChip task={row} brief />,
    text: (row) => (row.paused ? pausedStatus(row.paused) : t(`upgrade:status.${row.status}`)),
  },
  {
    key: 'counts',
    title: 'upgrade:field.progress',
    width: 220,
    render: (row) => (
      <Stack gap={4} py={4}>
        <ThinStepBar counts={row.counts} kind={row.kind} />
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
            c={isOurs(row.paused) ? 'var(--warning)' : 'var(--critical)'}
          >
            {pausedText(row.paused)}
          </Text>
        ) : null}
      </Stack>
    ),
    text: (row) => barText(row.counts, row.kind),
  },
  {
    key: 'version',
    title: 'upgrade:field.package',
    width: 190,
    render: contentText,
    text: contentText,
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
    key: 'kind',
    label: 'upgrade:field.kind',
    useOptions: () => taskKinds.map(({ name }) => ({ value: name, label: kindText(name) })),
  },
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
      rank="primary"
      icon={IconPlus}
      label={t('upgrade:wizard.title')}
      permission={upgradeCreatePermission}
      onPress={() => void setAddress({ new: '1' })}
    />
  )
}

const detailPath = (row: TaskRow) => `/task/upgrade/${row.taskId}`

const List = listPage({
  screen: taskListScreen,
  call: getTaskList,
  rowKey: 'taskId',
  columns,
  filters,
  searchPlaceholder: 'upgrade:searchPlaceholder',
  exportName: 'tasks',
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
      permission: taskDeletePermission,
      reason: whyNotDeleted(row),
      danger: true,
      run: () => void askToDelete(row),
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
  // Loaded when first opened; then it stays mounted, because closing is animated.
  const [fetched, setFetched] = useState(open)
  if (open && !fetched) setFetched(true)
  return (
    <>
      <List />
      <Suspense>{fetched ? <UpgradeWizard /> : null}</Suspense>
    </>
  )
}
