import { Anchor, Button, Group, Skeleton, Stack } from '@mantine/core'
import { IconArrowBackUp, IconBan, IconPlayerPause, IconRefresh, IconTrash } from '@tabler/icons-react'
import { parseAsString, useQueryStates } from 'nuqs'
import { useEffect } from 'react'
import { Link } from 'react-router'
import type { ReplyOf } from '#schema/kit/call'
import type { Word } from '#schema/kit/words.gen'
import { configTaskScreen } from '#schema/task/config-pages'
import { getTask, getTaskItems } from '#schema/task/task-calls'
import { getTaskDecisions } from '#schema/task/task-decision'
import { taskDeletePermission, taskListScreen, upgradeCreatePermission } from '#schema/task/task-pages'
import { NO_PERMISSION } from '../kit/api.ts'
import { Card } from '../kit/card.tsx'
import { Empty } from '../kit/empty.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { type HeaderAction, HeaderActions } from '../kit/page/header-actions.tsx'
import { usePage, usePageTitle } from '../kit/page/page.tsx'
import { PageHeader } from '../kit/page/page-header.tsx'
import { queryClient, useCall } from '../kit/query.ts'
import { useSlow } from '../kit/slow.ts'
import { LeftOutList } from '../task/left-out.tsx'
import { ApprovalBanner } from '../task/task-approval.tsx'
import { TaskChip } from '../task/task-chips.tsx'
import { askToCancel, askToDelete, retry, whyNotDeleted } from '../task/task-control.tsx'
import { TaskDevices } from '../task/task-devices.tsx'
import { TaskFacts, TaskSummary } from '../task/task-facts.tsx'
import { Failures } from '../task/task-failures.tsx'
import { controlOf } from '../task/task-kinds.ts'
import { askToPause } from '../task/task-pause.tsx'
import { PausedBanner } from '../task/task-paused.tsx'
import { askToRollBack } from '../task/task-rollback.tsx'
import { filterOf, type SegmentFilter, segmentOf } from '../task/task-segments.ts'
import { StepBar } from '../task/task-step-bar.tsx'
import { TaskTimeline } from '../task/task-timeline.tsx'
import { TaskWaves } from '../task/task-waves.tsx'

export const words: readonly Word[] = [
  'upgrade',
  'task',
  'package',
  'command',
  'command-many',
  'device-state',
  'rollout',
]

type Task = ReplyOf<typeof getTask>
/** The list that it was reached from. */
const listOf = (pathname: string) =>
  pathname.startsWith(configTaskScreen.path) ? configTaskScreen.path : taskListScreen.path
const REFRESH_S = 5
const empty = parseAsString.withDefault('')

/** Also those that are observed, and those that failed afterwards, run the new version. */
const mayHaveTaken = ({ counts }: Task) => counts.done + counts.upgrading + counts.failed > 0

function TaskActions({ task }: { task: Task }) {
  const list = listOf(usePage().pathname)
  const ongoing = task.status === 'ongoing'
  const retryAll: HeaderAction = {
    key: 'retry',
    icon: IconRefresh,
    permission: controlOf(task),
    label: t('upgrade:retry.all', { count: task.counts.failed }),
    primary: !ongoing,
    run: () => void retry(task.taskId, { paused: task.paused !== null }),
  }
  const pause: HeaderAction = {
    key: 'pause',
    icon: IconPlayerPause,
    permission: controlOf(task),
    label: t('upgrade:pause.verb'),
    stays: true,
    run: () => void askToPause(task),
  }
  const cancel: HeaderAction = {
    key: 'cancel',
    icon: IconBan,
    permission: controlOf(task),
    label: t('upgrade:cancel.verb'),
    run: () => void askToCancel(task),
  }
  const rollBack: HeaderAction = {
    key: 'rollBack',
    icon: IconArrowBackUp,
    permission: upgradeCreatePermission,
    label: t('rollout:rollback.verb'),
    run: () => void askToRollBack(task),
  }
  const remove: HeaderAction = {
    key: 'delete',
    icon: IconTrash,
    permission: taskDeletePermission,
    reason: whyNotDeleted(task),
    label: t('upgrade:delete.verb'),
    run: () => void askToDelete(task).then((gone) => gone && goTo(list)),
  }
  return (
    <HeaderActions
      actions={[
        ...(ongoing && !task.paused ? [pause] : []),
        ongoing ? cancel : remove,
        ...(task.counts.failed > 0 ? [retryAll] : []),
        ...(task.version !== null && mayHaveTaken(task) ? [rollBack] : []),
      ]}
    />
  )
}

export function Page() {
  const { params, pathname } = usePage()
  const list = listOf(pathname)
  const taskId = Number(params['taskId'])
  const known = Number.isSafeInteger(taskId) && taskId > 0
  const query = useCall(getTask, { taskId }, { enabled: known })
  const task = query.data
  // The same query, polled only while the task is ongoing.
  useCall(getTask, { taskId }, { enabled: task?.status === 'ongoing', refreshS: REFRESH_S })
  const ended = task?.status === 'completed'
  // Refreshing stops with the task; its devices and its timeline must show how it ended.
  useEffect(() => {
    if (!ended) return
    for (const { name } of [getTaskItems, getTaskDecisions])
      void queryClient.invalidateQueries({ queryKey: [name] })
  }, [ended])
  const slow = useSlow(query.isPending)
  usePageTitle(task?.name)
  const [filter, setFilter] = useQueryStates({ step: empty, outcome: empty, failure: empty, offset: empty })
  const show = (next: SegmentFilter) => {
    const orNull = (value: string) => (value === '' ? null : value)
    void setFilter({
      step: orNull(next.step),
      outcome: orNull(next.outcome),
      failure: orNull(next.failure),
      offset: null,
    })
  }
  if (!task) {
    // Only the server can say that it does not exist.
    if (query.error && query.error.code !== NO_PERMISSION) return <ReadBar read={query} />
    if (query.error || !known)
      return (
        <Empty
          kind="noPermission"
          title={t('upgrade:unknownTask')}
          text={query.error?.message}
          action={
            <Button variant="default" onClick={() => goTo(list)}>
              {t('upgrade:backToList')}
            </Button>
          }
        />
      )
    return (
      <Stack gap="md" aria-busy>
        {slow ? [80, 140, 320].map((height) => <Skeleton key={height} height={height} />) : null}
      </Stack>
    )
  }
  return (
    <>
      <PageHeader
        title={task.name}
        beside={<TaskChip task={task} />}
        line={task.description || null}
        actions={<TaskActions task={task} />}
      />
      <ReadBar read={query} />
      <Stack gap="md">
        {task.approval === 'waiting' && task.status === 'ongoing' ? <ApprovalBanner task={task} /> : null}
        {task.paused && task.paused.reason !== 'approval' ? (
          <PausedBanner task={task} paused={task.paused} />
        ) : null}
        <Card>
          <TaskSummary task={task} />
          <StepBar
            counts={task.counts}
            kind={task.kind}
            chosen={segmentOf(filter)}
            onChoose={(name) => show(filterOf(name))}
          />
        </Card>
        <TaskWaves task={task} />
        <Failures
          task={task}
          chosen={filter.failure}
          onShow={(failure) => show({ step: '', outcome: '', failure })}
        />
        <Card>
          <Stack gap="sm">
            <TaskFacts task={task} />
            <LeftOutList leftOut={task.leftOut} />
          </Stack>
        </Card>
        <TaskTimeline taskId={taskId} refreshS={task.status === 'ongoing' ? REFRESH_S : undefined} />
        <TaskDevices task={task} />
      </Stack>
      <Group mt="md" data-screen-only>
        <Anchor component={Link} to={list} size="sm">
          {t('upgrade:backToList')}
        </Anchor>
      </Group>
    </>
  )
}
