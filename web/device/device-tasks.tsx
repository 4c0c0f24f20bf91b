import { Progress, Text } from '@mantine/core'
import { Link } from 'react-router'
import { getCommandList } from '#schema/command/command'
import { getDeviceTimeline } from '#schema/device/timeline'
import { stepRank, type TaskStep, taskSteps } from '#schema/kit/task-kind'
import type { CommandRow } from '../command/command-banner.tsx'
import { commandTones } from '../command/command-tones.ts'
import { Card } from '../kit/card.tsx'
import { percent } from '../kit/format.ts'
import { t, tOr } from '../kit/i18n.ts'
import type { Column, Row } from '../kit/list/list-types.ts'
import { ListView } from '../kit/list/list-view.tsx'
import { StatusChip } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import classes from './device.module.css'
import type { Device } from './device-actions.tsx'
import { eventKey, eventText } from './device-event.ts'

function ActiveTask({ task }: { task: NonNullable<Device['activeTask']> }) {
  const rank = stepRank(task.step as TaskStep)
  const share = rank < 0 ? 0 : (rank + (task.percent ?? 0) / 100) / (taskSteps.length - 1)
  return (
    <Card
      title={<Link to={`/task/upgrade/${task.taskId}`}>{task.name}</Link>}
      side={
        <StatusChip
          tone="pending"
          label={[
            tOr(`task:step.${task.step}`, task.step),
            task.percent === null ? null : percent(task.percent),
          ]
            .filter(Boolean)
            .join(' ')}
        />
      }
    >
      <Progress value={share * 100} aria-label={task.name} />
    </Card>
  )
}

const commands: readonly Column<CommandRow>[] = [
  {
    key: 'name',
    title: 'command:column.name',
    width: 190,
    card: 'title',
    text: ({ name }) => name,
    render: ({ name, taskId }) => (
      <>
        {tOr(`command:name.${name}`, name)}
        {taskId === null ? null : (
          <>
            {' · '}
            <Link to={`/task/upgrade/${taskId}`}>{t('command-many:link')}</Link>
          </>
        )}
      </>
    ),
  },
  {
    key: 'state',
    title: 'command:column.state',
    width: 140,
    card: 'beside',
    render: ({ state }) => <StatusChip tone={commandTones[state]} label={t(`command:state.${state}`)} />,
  },
  {
    key: 'createdAt',
    title: 'command:column.createdAt',
    width: 180,
    render: (row) => <When at={row.createdAt} absolute />,
  },
  {
    key: 'endedAt',
    title: 'command:column.endedAt',
    width: 180,
    render: (row) => <When at={row.endedAt} absolute />,
  },
  { key: 'createdBy', title: 'command:column.createdBy', width: 120 },
  { key: 'error', title: 'command:column.error' },
]

type Event = Row<typeof getDeviceTimeline>
const steps: readonly Column<Event>[] = [
  {
    key: 'at',
    title: 'device:event.at',
    width: 180,
    card: 'beside',
    render: ({ at }) => <When at={at} absolute />,
  },
  {
    key: 'what',
    title: 'device:event.what',
    card: 'title',
    text: eventText,
    render: (event) => <Link to={`/task/upgrade/${event.taskId}`}>{eventText(event)}</Link>,
  },
  { key: 'actor', title: 'device:event.actor', width: 140 },
]

export function DeviceTasks({ device }: { device: Device }) {
  const { deviceId, activeTask } = device
  return (
    <div className={classes['stack']}>
      {activeTask ? <ActiveTask task={activeTask} /> : null}
      <ListView
        title={t('command:title')}
        call={getCommandList}
        rowKey="commandId"
        body={{ deviceId }}
        columns={commands}
        searchable={false}
        refreshS={5}
        prefix="command"
        exportName="commands"
        empty={() => (
          <Text p="md" c="dimmed">
            {t('command:none')}
          </Text>
        )}
      />
      <ListView
        title={t('task:history')}
        call={getDeviceTimeline}
        rowKey={eventKey}
        body={{ deviceId, kind: 'task' }}
        columns={steps}
        refreshS={5}
        prefix="task"
        exportName="tasks"
        empty={() => (
          <Text p="md" c="dimmed">
            {t('task:none')}
          </Text>
        )}
      />
    </div>
  )
}
