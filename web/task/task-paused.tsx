import { Text } from '@mantine/core'
import { IconAlertOctagon, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import type { ReplyOf } from '#schema/kit/call'
import type { getTask } from '#schema/task/task-calls'
import { ActionButton } from '../kit/action-button.tsx'
import { moment, number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import classes from './task.module.css'
import { pausedText } from './task-chips.tsx'
import { controlOf } from './task-kinds.ts'
import { askToResume, causesText, standingLines } from './task-pause.tsx'

type Task = ReplyOf<typeof getTask>

/** Shown above a paused task: what happened, why, the states of the devices, and how to continue. */
export function PausedBanner({ task, paused }: { task: Task; paused: NonNullable<Task['paused']> }) {
  const byItself = paused.reason !== 'person'
  const time = moment(paused.at)
  const Shape = byItself ? IconAlertOctagon : IconPlayerPause
  const said =
    paused.reason === 'failures'
      ? t('upgrade:paused.sinceFailures', {
          time,
          count: paused.tried ?? 0,
          tried: number(paused.tried),
          failed: number(paused.failed),
        })
      : t('upgrade:paused.sincePerson', { by: pausedText(paused), time })
  return (
    <section
      className={classes['paused']}
      data-tone={byItself ? 'critical' : 'warning'}
      role={byItself ? 'alert' : 'status'}
    >
      <Shape size={22} stroke={1.5} aria-hidden />
      <div>
        <Text fw={600} c="inherit">
          {t(
            paused.reason === 'person'
              ? 'upgrade:paused.titlePerson'
              : paused.reason === 'wave'
                ? 'rollout:paused.waveTitle'
                : paused.reason === 'sender'
                  ? 'upgrade:paused.titleSender'
                  : 'upgrade:paused.titleFailures',
          )}
        </Text>
        <Text size="sm" c="var(--text-1)">
          {said}
        </Text>
        {task.failures.length > 0 ? (
          <Text size="sm" c="var(--text-1)">
            {t('upgrade:paused.causes', { causes: causesText(task) })}
          </Text>
        ) : null}
        <ul className={classes['pausedLines']}>
          {standingLines(task).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
      <ActionButton
        rank="primary"
        icon={IconPlayerPlay}
        permission={controlOf(task)}
        label={t('upgrade:resume.verb')}
        onPress={() => void askToResume(task)}
      />
    </section>
  )
}
