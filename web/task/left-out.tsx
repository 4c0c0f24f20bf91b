/** Devices that were left out of a task, and why. */
import { Text } from '@mantine/core'
import type { LeftOut } from '#schema/task/task-target'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import classes from './task.module.css'

export function LeftOutList({ leftOut }: { leftOut: readonly LeftOut[] }) {
  if (leftOut.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600}>
        {t('command-many:leftOut', {
          count: leftOut.reduce((sum, { count }) => sum + count, 0),
        })}
      </Text>
      <ul className={classes['why']}>
        {leftOut.map(({ reason, count, sample }) => (
          <li key={reason}>
            {t('kit:counted', { what: t(`command-many:reason.${reason}`), count: number(count) })}
            {sample.length > 0 ? (
              <Text span size="sm" c="dimmed">
                {` (${sample.join(t('kit:comma'))}${count > sample.length ? ' …' : ''})`}
              </Text>
            ) : null}
          </li>
        ))}
      </ul>
    </div>
  )
}
