import { Progress } from '@mantine/core'
import { stepRank, type TaskStep, taskSteps } from '#schema/kit/task-kind'
import { Card } from '../kit/card.tsx'
import { percent } from '../kit/format.ts'
import { PageLink } from '../kit/page-link.tsx'
import { StatusChip } from '../kit/status-chip.tsx'
import { stepName } from '../task/step-text.ts'
import { taskLink } from '../task/task-link.ts'
import type { Device } from './device-actions.tsx'

/** What the device is doing for a task now. */
export function ActiveTask({ task }: { task: NonNullable<Device['activeTask']> }) {
  const rank = stepRank(task.step as TaskStep)
  const share = rank < 0 ? 0 : (rank + (task.percent ?? 0) / 100) / (taskSteps.length - 1)
  return (
    <Card
      title={<PageLink to={taskLink(task.taskId)}>{task.name}</PageLink>}
      side={
        <StatusChip
          tone="pending"
          label={[stepName(task.step, task.kind), task.percent === null ? null : percent(task.percent)]
            .filter(Boolean)
            .join(' ')}
        />
      }
    >
      <Progress value={share * 100} aria-label={task.name} />
    </Card>
  )
}
