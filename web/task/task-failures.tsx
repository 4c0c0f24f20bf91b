import { Button, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { ReplyOf } from '#schema/kit/call'
import type { TaskFailure } from '#schema/kit/task-kind'
import type { getTask } from '#schema/task/task-calls'
import { ActionButton } from '../kit/action-button.tsx'
import { Card } from '../kit/card.tsx'
import { endedText } from '../kit/ended-text.ts'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { failureName } from './step-text.ts'
import classes from './task.module.css'
import { retry } from './task-control.tsx'
import { controlOf } from './task-kinds.ts'

type Props = {
  task: Pick<ReplyOf<typeof getTask>, 'taskId' | 'kind' | 'command' | 'failures' | 'errors' | 'paused'>
  chosen: string
  onShow: (failure: TaskFailure | '') => void
}

/** Failures by cause: meaning, remedy, and a retry of that cause. */
export function Failures({ task, chosen, onShow }: Props) {
  if (task.failures.length === 0) return null
  return (
    <Card title={t('upgrade:failures')}>
      <ul className={classes['failures']}>
        {task.failures.map(({ failure, count }) => {
          const name = failureName(failure, task.kind)
          return (
            <li key={failure} className={classes['failure']}>
              <span className={classes['failureCount']}>{number(count)}</span>
              <div>
                <Text fw={600}>{name}</Text>
                {task.command === null ? (
                  <Text size="sm" c="dimmed">
                    {t(`upgrade:advice.${failure}`)}
                  </Text>
                ) : null}
              </div>
              <div className={classes['failureButtons']}>
                <Button
                  variant={chosen === failure ? 'light' : 'default'}
                  aria-pressed={chosen === failure}
                  onClick={() => onShow(chosen === failure ? '' : failure)}
                >
                  {t('upgrade:showDevices')}
                </Button>
                <ActionButton
                  icon={IconRefresh}
                  permission={controlOf(task)}
                  label={t('upgrade:retry.reason', { count })}
                  fullLabel={t('upgrade:retry.reasonOf', { count, failure: name })}
                  onPress={() => void retry(task.taskId, { failure, paused: task.paused !== null })}
                />
              </div>
            </li>
          )
        })}
      </ul>
      {task.command === null ? null : (
        <ul className={classes['failures']}>
          {task.errors.map(({ error, count }) => (
            <li key={error}>{t('kit:counted', { what: endedText(error), count: number(count) })}</li>
          ))}
        </ul>
      )}
    </Card>
  )
}
