import { Anchor, Button, Group, Skeleton, Stack } from '@mantine/core'
import { IconBan, IconPlayerPause, IconRefresh, IconTrash } from '@tabler/icons-react'
import { parseAsString, useQueryStates } from 'nuqs'
import { Link } from 'react-router'
import type { ReplyOf } from '#schema/kit/call'
import type { Word } from '#schema/kit/words.gen'
import { getLevelUpDetail } from '#schema/task/upgrade'
import { upgradeControlPermission, upgradeDeletePermission } from '#schema/task/upgrade-pages'
import { Card } from '../kit/card.tsx'
import { Empty } from '../kit/empty.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { type HeaderAction, HeaderActions } from '../kit/header-actions.tsx'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { usePage, usePageTitle } from '../kit/page.tsx'
import { PageHeader } from '../kit/page-header.tsx'
import { useCall } from '../kit/query.ts'
import { useSlow } from '../kit/slow.ts'
import { TaskChip } from '../task/upgrade-chips.tsx'
import { cancelTask, deleteTask, retry, whyNotDeleted } from '../task/upgrade-control.tsx'
import { UpgradeDevices } from '../task/upgrade-devices.tsx'
import { UpgradeFacts, UpgradeSummary } from '../task/upgrade-facts.tsx'
import { Failures } from '../task/upgrade-failures.tsx'
import { pauseTask } from '../task/upgrade-pause.tsx'
import { PausedBanner } from '../task/upgrade-paused.tsx'
import { filterOf, type SegmentFilter, segmentOf } from '../task/upgrade-segments.ts'
import { StepBar } from '../task/upgrade-step-bar.tsx'

export const words: readonly Word[] = ['upgrade', 'task', 'package']

type Task = ReplyOf<typeof getLevelUpDetail>
const LIST = '/task/upgrade'
const REFRESH_S = 5
const empty = parseAsString.withDefault('')

function TaskActions({ task }: { task: Task }) {
  const ongoing = task.status === 'ongoing'
  const retryAll: HeaderAction = {
    key: 'retry',
    icon: IconRefresh,
    permission: upgradeControlPermission,
    label: t('upgrade:retry.all', { count: task.counts.failed }),
    primary: !ongoing,
    run: () => void retry(task.taskId, { paused: task.paused !== null }),
  }
  const pause: HeaderAction = {
    key: 'pause',
    icon: IconPlayerPause,
    permission: upgradeControlPermission,
    label: t('upgrade:pause.verb'),
    stays: true,
    run: () => void pauseTask(task),
  }
  const cancel: HeaderAction = {
    key: 'cancel',
    icon: IconBan,
    permission: upgradeControlPermission,
    label: t('upgrade:cancel.verb'),
    run: () => void cancelTask(task),
  }
  const remove: HeaderAction = {
    key: 'delete',
    icon: IconTrash,
    permission: upgradeDeletePermission,
    reason: whyNotDeleted(task),
    label: t('upgrade:delete.verb'),
    run: () => void deleteTask(task).then((gone) => gone && goTo(LIST)),
  }
  return (
    <HeaderActions
      actions={[
        ...(ongoing && !task.paused ? [pause] : []),
        ongoing ? cancel : remove,
        ...(task.counts.failed > 0 ? [retryAll] : []),
      ]}
    />
  )
}

export function Page() {
  const taskId = Number(usePage().params['taskId'])
  const known = Number.isSafeInteger(taskId) && taskId > 0
  const query = useCall(getLevelUpDetail, { taskId }, { enabled: known })
  const task = query.data
  // The same answer, asked for again only while there is something to watch.
  useCall(getLevelUpDetail, { taskId }, { enabled: task?.status === 'ongoing', refreshS: REFRESH_S })
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
    if (query.error || !known)
      return (
        <Empty
          kind="noPermission"
          title={t('upgrade:unknownTask')}
          text={query.error?.message}
          action={
            <Button variant="default" onClick={() => goTo(LIST)}>
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
      {query.error ? <ErrorBar error={query.error} onRetry={() => void query.refetch()} /> : null}
      <Stack gap="md">
        {task.paused ? <PausedBanner task={task} paused={task.paused} /> : null}
        <Card>
          <UpgradeSummary task={task} />
          <StepBar
            counts={task.counts}
            chosen={segmentOf(filter)}
            onChoose={(name) => show(filterOf(name))}
          />
        </Card>
        <Failures
          task={task}
          chosen={filter.failure}
          onShow={(failure) => show({ step: '', outcome: '', failure })}
        />
        <Card>
          <UpgradeFacts task={task} />
        </Card>
        <UpgradeDevices
          taskId={task.taskId}
          ongoing={task.status === 'ongoing'}
          paused={task.paused !== null}
        />
      </Stack>
      <Group mt="md">
        <Anchor component={Link} to={LIST} size="sm">
          {t('upgrade:backToList')}
        </Anchor>
      </Group>
    </>
  )
}
