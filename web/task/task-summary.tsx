import { Text } from '@mantine/core'
import { Link } from 'react-router'
import { getTaskList } from '#schema/task/task-calls'
import { taskListScreen } from '#schema/task/task-pages'
import { number, shortMoment } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { SummaryCard, SummaryRow } from '../kit/page/summary.tsx'
import { useCall } from '../kit/query.ts'
import { useNow } from '../kit/time.tsx'
import { pausedText, TaskChip, type TaskRow } from './task-chips.tsx'
import { ThinStepBar } from './task-step-bar.tsx'

const REFRESH_S = 20
const SHOWN = 3
const MINUTE_MS = 60_000

/** Why it is paused, when it starts, or what is left to do. */
function stateText({ paused, startAt, counts }: TaskRow, now: number): string {
  if (paused) return pausedText(paused)
  if (Date.parse(startAt) > now) return t('dashboard:tasks.starts', { at: shortMoment(startAt, now) })
  const left = counts.total - counts.done - counts.failed - counts.cancelled
  return [
    t('upgrade:doneOf', { done: number(counts.done), total: number(counts.total) }),
    ...(counts.failed > 0 ? [t('upgrade:failedCount', { count: counts.failed })] : []),
    ...(left > 0 ? [t('dashboard:tasks.left', { count: left, shown: number(left) })] : []),
  ].join(' · ')
}

/** Running tasks for the home page, paused ones first. */
export function TaskSummary() {
  const now = useNow(MINUTE_MS)
  const query = useCall(
    getTaskList,
    { status: 'ongoing', sort: 'urgency', order: 'asc', limit: SHOWN },
    { refreshS: REFRESH_S },
  )
  const { list = [], total = 0 } = query.data ?? {}
  return (
    <SummaryCard
      title={t('dashboard:tasks.title')}
      side={
        total > 0 ? (
          <Link to={`${taskListScreen.path}?status=ongoing`}>
            {t('dashboard:tasks.side', { count: total })}
          </Link>
        ) : null
      }
      queries={[query]}
    >
      {total === 0 ? <Text c="dimmed">{t('dashboard:tasks.none')}</Text> : null}
      {list.map((task) => (
        <div key={task.taskId}>
          <SummaryRow
            to={`${taskListScreen.path}/${task.taskId}`}
            mark={<TaskChip task={task} />}
            label={task.name}
            note={stateText(task, now)}
          />
          <ThinStepBar counts={task.counts} kind={task.kind} />
        </div>
      ))}
    </SummaryCard>
  )
}
