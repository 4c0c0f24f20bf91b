import { Text } from '@mantine/core'
import { IconBan, IconRefresh } from '@tabler/icons-react'
import { type TaskKind, taskFailures, taskSteps } from '#schema/kit/task-kind'
import { taskOutcomes } from '#schema/task/moves'
import { getTaskItems } from '#schema/task/task-calls'
import { detailLink } from '../device/device-options.ts'
import { DeviceState } from '../device/device-state.tsx'
import { endedText } from '../kit/ended-text.ts'
import { duration, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import type { Column, Filter, RowAction } from '../kit/list/list-types.ts'
import { ListView } from '../kit/list/list-view.tsx'
import { Mono } from '../kit/mono.tsx'
import { useNow, When } from '../kit/time.tsx'
import { failureName } from './step-text.ts'
import { FailureText, heldUpText, ItemChip, type ItemRow, segmentText, type TaskRow } from './task-chips.tsx'
import { cancelItem, retry } from './task-control.tsx'
import { controlOf, kindNamed } from './task-kinds.ts'

/** When the current step times out; not when the device is done. */
function Deadline({ at }: { at: string | null }) {
  const now = useNow()
  if (!at) return UNKNOWN
  const leftS = (Date.parse(at) - now) / 1000
  return leftS > 0 ? t('upgrade:left', { time: duration(leftS, 'narrow') }) : t('upgrade:overdue')
}

/** Commands that only succeed return nothing else. */
const resultText = ({ result }: ItemRow) =>
  result === null || Object.keys(result).length === 0 ? '' : JSON.stringify(result)

/** Columns that only some kinds have. */
const ofKind: Record<TaskKind['columns'][number], Column<ItemRow>> = {
  versions: {
    key: 'version',
    title: 'upgrade:field.versions',
    width: 125,
    render: (row) => `${row.fromVersion ?? UNKNOWN} → ${row.version}`,
    text: (row) => `${row.fromVersion ?? ''} → ${row.version}`,
  },
  result: {
    key: 'result',
    title: 'upgrade:field.result',
    width: 180,
    render: resultText,
    text: resultText,
  },
}

const columnsOf = (kind: string): readonly Column<ItemRow>[] => [
  {
    key: 'deviceName',
    title: 'upgrade:field.device',
    width: 175,
    pinned: 'left',
    card: 'title',
    render: (row) => row.deviceName,
  },
  {
    key: 'deviceSn',
    title: 'upgrade:field.sn',
    width: 145,
    render: (row) => <Mono value={row.deviceSn} />,
  },
  {
    key: 'step',
    title: 'upgrade:field.step',
    width: 155,
    card: 'beside',
    render: (row) => <ItemChip item={row} kind={kind} />,
    text: (row) => segmentText(row.outcome ?? row.step, kind),
  },
  {
    key: 'failure',
    title: 'upgrade:field.failure',
    width: 180,
    render: (row) => <FailureText item={row} kind={kind} />,
    text: (row) =>
      row.heldUpBy
        ? heldUpText(row.heldUpBy, kind)
        : row.failure
          ? row.failureDetail
            ? t('kit:labelled', {
                label: failureName(row.failure, kind),
                text: endedText(row.failureDetail),
              })
            : failureName(row.failure, kind)
          : '',
  },
  ...(kindNamed(kind)?.columns ?? []).map((name) => ofKind[name]),
  {
    key: 'state',
    title: 'upgrade:field.deviceState',
    width: 130,
    render: ({ state, stateAt, statePercent }) =>
      state ? <DeviceState device={{ state, stateAt, statePercent }} /> : UNKNOWN,
    text: ({ state }) => (state ? t(`device-state:${state}`) : ''),
  },
  { key: 'attempt', title: 'upgrade:field.attempt', width: 90, numeric: true },
  {
    key: 'deadlineAt',
    title: 'upgrade:field.deadline',
    width: 125,
    render: (row) => (
      <Text span className="tabular">
        <Deadline at={row.deadlineAt} />
      </Text>
    ),
  },
  {
    key: 'stepAt',
    title: 'upgrade:field.stepAt',
    width: 130,
    extra: true,
    render: (row) => <When at={row.stepAt} zone={row.timeZone} />,
  },
]

const filtersOf = (kind: string): readonly Filter[] => [
  {
    key: 'step',
    label: 'upgrade:field.step',
    width: 170,
    useOptions: () =>
      (kindNamed(kind)?.steps ?? taskSteps)
        .filter((step) => step !== 'done')
        .map((value) => ({ value, label: segmentText(value, kind) })),
  },
  {
    key: 'outcome',
    label: 'upgrade:field.outcome',
    width: 130,
    useOptions: () => [
      { value: 'running', label: t('upgrade:running') },
      ...taskOutcomes.map((value) => ({ value, label: segmentText(value) })),
    ],
  },
  {
    key: 'failure',
    label: 'upgrade:field.failure',
    width: 190,
    useOptions: () => taskFailures.map((value) => ({ value, label: failureName(value, kind) })),
  },
]

type Task = Pick<TaskRow, 'taskId' | 'kind' | 'command' | 'paused' | 'status'>

const whyNotCancelled = (item: ItemRow) =>
  item.outcome ? t('upgrade:cancel.hasEnded') : item.canCancel ? null : t('upgrade:cancel.isLocked')

const actionsOf =
  ({ taskId, paused, ...task }: Task) =>
  (item: ItemRow): readonly RowAction[] => [
    {
      key: 'retry',
      label: t('upgrade:retry.one'),
      icon: IconRefresh,
      permission: controlOf(task),
      reason: item.outcome === 'failed' ? null : t('upgrade:retry.notFailed'),
      run: () => void retry(taskId, { itemIds: [item.itemId], paused: paused !== null }),
    },
    {
      key: 'cancel',
      label: t('upgrade:cancel.one'),
      icon: IconBan,
      permission: controlOf(task),
      reason: whyNotCancelled(item),
      danger: true,
      run: () => void cancelItem(taskId, item),
    },
  ]

/** The devices of one task; the bar and the failures set its filters, which are stored in the URL. */
export function TaskDevices({ task }: { task: Task }) {
  const { taskId, kind } = task
  const ongoing = task.status === 'ongoing'
  return (
    <ListView
      call={getTaskItems}
      rowKey="itemId"
      columns={columnsOf(kind)}
      filters={filtersOf(kind)}
      body={{ taskId }}
      searchPlaceholder="upgrade:searchDevices"
      exportName={`task-${taskId}`}
      refreshS={ongoing ? 5 : 0}
      rowLink={({ deviceId }) => detailLink({ groupId: 0, deviceId })}
      rowActions={actionsOf(task)}
    />
  )
}
