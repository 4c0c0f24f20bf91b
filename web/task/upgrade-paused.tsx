import { Text } from '@mantine/core'
import { IconAlertOctagon, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import type { ReplyOf } from '#schema/kit/call'
import type { getLevelUpDetail } from '#schema/task/upgrade'
import { upgradeControlPermission } from '#schema/task/upgrade-pages'
import { ActionButton } from '../kit/action-button.tsx'
import { moment, number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import classes from './upgrade.module.css'
import { pausedText } from './upgrade-chips.tsx'
import { causesText, resumeTask, standingLines } from './upgrade-pause.tsx'

type Task = ReplyOf<typeof getLevelUpDetail>

/** Above everything else of a task that stands still: what happened, why, where the devices are, and the way on. */
export function PausedBanner({ task, paused }: { task: Task; paused: NonNullable<Task['paused']> }) {
  const byItself = paused.reason === 'failures'
  const time = moment(paused.at)
  const Shape = byItself ? IconAlertOctagon : IconPlayerPause
  const said = byItself
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
          {t(byItself ? 'upgrade:paused.titleFailures' : 'upgrade:paused.titlePerson')}
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
        icon={IconPlayerPlay}
        permission={upgradeControlPermission}
        label={t('upgrade:resume.verb')}
        onPress={() => void resumeTask(task)}
      />
    </section>
  )
}
