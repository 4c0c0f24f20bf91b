import { Alert, Anchor, Button, Group } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconClockPlay,
  IconGitCompare,
  IconSend,
} from '@tabler/icons-react'
import { useState } from 'react'
import { configApplyPermission } from '#schema/config/commands/config'
import { getConfigPage, getDeviceConfig, revertTrial } from '#schema/config/device-config'
import type { Device } from '../device/device-actions.tsx'
import { ActionButton } from '../kit/action-button.tsx'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { useAction } from '../kit/query.ts'
import { When } from '../kit/time.tsx'
import { ConfigDrift } from './config-drift.tsx'
import type { Config } from './config-nav.tsx'
import { ConfigReview } from './config-review.tsx'
import { ConfigStateChip } from './config-state-chip.tsx'

type Props = { device: Device; config: Config }

const taskPath = (taskId: number) => `/task/upgrade/${taskId}`

/** How the last change ended, where that is not what was wanted. */
function Ended({ config }: { config: Config }) {
  const { ended, fault, detail, endedAt, taskId } = config
  if (ended === null || ended === 'confirmed' || config.state === 'waiting') return null
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle size={18} stroke={1.5} />}
      mb="sm"
      title={t(`config:ended.${ended}`)}
    >
      {[fault ? `${fault.place}: ${fault.reason}` : null, detail].filter(Boolean).join(' · ')}{' '}
      {endedAt ? <When at={endedAt} /> : null}{' '}
      {taskId === null ? null : (
        <Anchor component="button" onClick={() => goTo(taskPath(taskId))}>
          {t('config:task')}
        </Anchor>
      )}
      <div>{t('config:draftKept')}</div>
    </Alert>
  )
}

/** State, what is edited, and what can be done about both. */
export function ConfigBar({ device, config }: Props) {
  const [reviews, setReviews] = useState(false)
  const [compares, setCompares] = useState(false)
  const { deviceId } = device
  const revert = useAction(revertTrial, {
    refreshes: [getDeviceConfig, getConfigPage],
    success: t('config:reverting'),
  })
  const edited = config.pages.reduce((sum, { changed }) => sum + changed.length, 0)
  const { taskId } = config
  return (
    <>
      <Group justify="space-between" mb="sm" gap="xs">
        <Group gap="sm">
          <ConfigStateChip state={config.state} />
          {config.readAt ? (
            <span style={{ color: 'var(--text-3)' }}>
              {t('config:readAt')} <When at={config.readAt} />
            </span>
          ) : null}
          {config.state === 'waiting' && taskId !== null ? (
            <Anchor component="button" onClick={() => goTo(taskPath(taskId))}>
              {t('config:task')}
            </Anchor>
          ) : null}
        </Group>
        <Group gap="xs">
          {config.drift > 0 ? (
            <ActionButton
              icon={IconGitCompare}
              label={t('config:drift.open', { count: config.drift })}
              onPress={() => setCompares(true)}
            />
          ) : null}
          <ActionButton
            icon={IconSend}
            rank="primary"
            label={t('config:review.open', { count: edited })}
            permission={configApplyPermission}
            reason={
              edited === 0
                ? t('config:review.nothing')
                : config.state === 'waiting'
                  ? t('config:review.underWay')
                  : null
            }
            onPress={() => setReviews(true)}
          />
        </Group>
      </Group>
      {config.onTrial ? (
        <Alert
          color="blue"
          mb="sm"
          icon={<IconClockPlay size={18} stroke={1.5} />}
          title={t('config:onTrial.title')}
        >
          <Group justify="space-between">
            <span>{t('config:onTrial.text')}</span>
            <Button
              size="compact-md"
              variant="default"
              leftSection={<IconArrowBackUp size={16} stroke={1.5} />}
              loading={revert.busy}
              onClick={() => revert.start({ deviceId })}
            >
              {t('config:onTrial.revert')}
            </Button>
          </Group>
        </Alert>
      ) : null}
      <Ended config={config} />
      <ConfigReview opened={reviews} onClose={() => setReviews(false)} device={device} />
      <ConfigDrift opened={compares} onClose={() => setCompares(false)} deviceId={deviceId} />
    </>
  )
}
