import { Text } from '@mantine/core'
import { IconAlertTriangle, IconAntennaBars5 } from '@tabler/icons-react'
import type { MobileData } from '#schema/task/data-plan'
import { bytes } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import classes from './task.module.css'

/** What the file costs devices on mobile data, before the task is created. */
export function MobileDataLines({ mobile, unmetered }: { mobile: MobileData; unmetered: boolean }) {
  if (mobile.devices === 0) return null
  if (unmetered)
    return (
      <div className={classes['verdictLine']}>
        <IconAntennaBars5 size={18} color="var(--pending)" aria-hidden />
        <Text>{t('rollout:data.waits', { count: mobile.devices })}</Text>
      </div>
    )
  return (
    <>
      <div className={classes['verdictLine']}>
        <IconAntennaBars5 size={18} color="var(--pending)" aria-hidden />
        <div>
          <Text>{t('rollout:data.mobile', { count: mobile.devices, bytes: bytes(mobile.bytes) })}</Text>
          {mobile.unknown > 0 ? (
            <Text size="xs" c="dimmed">
              {t('rollout:data.unknown', { count: mobile.unknown })}
            </Text>
          ) : null}
        </div>
      </div>
      {mobile.over > 0 ? (
        <div className={classes['verdictLine']}>
          <IconAlertTriangle size={18} color="var(--warning)" aria-hidden />
          <div>
            <Text>{t('rollout:data.over', { count: mobile.over })}</Text>
            <Text size="xs" c="dimmed">
              {mobile.sample.join(t('kit:comma'))}
            </Text>
          </div>
        </div>
      ) : null}
    </>
  )
}
