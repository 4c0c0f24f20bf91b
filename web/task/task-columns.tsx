/** The columns of the lists of tasks, and what their rows offer. */
import { Group, Stack, Text } from '@mantine/core'
import { IconPackageImport, IconTrash } from '@tabler/icons-react'
import { taskStatuses } from '#schema/task/moves'
import { packageTitle } from '#schema/task/package-title'
import { taskDeletePermission } from '#schema/task/task-pages'
import { number } from '../kit/format.ts'
import { t, tOr } from '../kit/i18n.ts'
import type { Column, Filter, RowAction } from '../kit/list/list-types.ts'
import { goTo } from '../kit/navigation.ts'
import { When } from '../kit/time.tsx'
import { isOurs, pausedStatus, pausedText, TaskChip, type TaskRow } from './task-chips.tsx'
import { askToDelete, whyNotDeleted } from './task-control.tsx'
import { kindText, taskPath } from './task-kinds.ts'
import { barText, ThinStepBar } from './task-step-bar.tsx'

/** The file that it sends, or the command. */
const contentText = (row: TaskRow) =>
  row.command === null
    ? packageTitle(row.packageName ?? '', row.version)
    : tOr(`command:name.${row.command}`, row.command)

export const taskColumns: readonly Column<TaskRow>[] = [
  {
    key: 'name',
    title: 'upgrade:field.name',
    width: 190,
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
    width: 146,
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
    key: 'updatedAt',
    title: 'upgrade:field.updatedAt',
    width: 120,
    render: (row) => <When at={row.updatedAt} />,
  },
  {
    key: 'version',
    title: 'upgrade:field.content',
    width: 170,
    render: contentText,
    text: contentText,
  },
  {
    key: 'startAt',
    title: 'upgrade:field.startAt',
    width: 165,
    render: (row) => <When at={row.startAt} absolute />,
  },
  { key: 'model', title: 'upgrade:field.model', width: 80 },
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

export const statusFilter: Filter = {
  key: 'status',
  label: 'upgrade:field.status',
  useOptions: () => taskStatuses.map((value) => ({ value, label: t(`upgrade:status.${value}`) })),
}

export const taskActions = (row: TaskRow): readonly RowAction[] => [
  {
    key: 'detail',
    label: t('upgrade:watch'),
    icon: IconPackageImport,
    run: () => goTo(taskPath(row)),
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
]
