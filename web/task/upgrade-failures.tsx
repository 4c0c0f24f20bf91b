import { Button, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { ReplyOf } from '#schema/kit/call'
import type { TaskFailure } from '#schema/task/task'
import type { getLevelUpDetail } from '#schema/task/upgrade'
import { upgradeControlPermission } from '#schema/task/upgrade-pages'
import { ActionButton } from '../kit/action-button.tsx'
import { Card } from '../kit/card.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import classes from './upgrade.module.css'
import { retry } from './upgrade-control.tsx'

type Props = {
  task: Pick<ReplyOf<typeof getLevelUpDetail>, 'taskId' | 'failures' | 'paused'>
  chosen: string
  onShow: (failure: TaskFailure | '') => void
}

/** By cause: what it means, what to do, and another try of that cause. */
export function Failures({ task, chosen, onShow }: Props) {
  if (task.failures.length === 0) return null
  return (
    <Card title={t('upgrade:failures')}>
      <ul className={classes['failures']}>
        {task.failures.map(({ failure, count }) => {
          const name = t(`task:failure.${failure}`)
          return (
            <li key={failure} className={classes['failure']}>
              <span className={classes['failureCount']}>{number(count)}</span>
              <div>
                <Text fw={600}>{name}</Text>
                <Text size="sm" c="dimmed">
                  {t(`upgrade:advice.${failure}`)}
                </Text>
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
                  variant="default"
                  icon={IconRefresh}
                  permission={upgradeControlPermission}
                  label={t('upgrade:retry.reason', { count, failure: name })}
                  onPress={() => void retry(task.taskId, { failure, paused: task.paused !== null })}
                />
              </div>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
