import { Alert, Anchor, Button, Group } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconClockPlay,
  IconFileImport,
  IconGitCompare,
  IconSend,
} from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { configApplyPermission } from '#schema/config/commands/config'
import {
  discardConfigDraft,
  getConfigPage,
  getDeviceConfig,
  revertTrial,
  reviewConfig,
} from '#schema/config/device-config'
import { IMPORTED } from '#schema/config/uci-import'
import type { Device } from '../device/device-actions.tsx'
import { ActionButton } from '../kit/action-button.tsx'
import { lazy } from '../kit/chunk.ts'
import { Dotted } from '../kit/dotted.tsx'
import { deviceWords, endedText } from '../kit/ended-text.ts'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { goTo } from '../kit/navigation.ts'
import { useAction } from '../kit/query.ts'
import { When } from '../kit/time.tsx'
import { TimeText } from '../kit/time-text.tsx'
import classes from './config.module.css'
import { ConfigDrift } from './config-drift.tsx'
import type { Config } from './config-nav.tsx'
import { ConfigReview } from './config-review.tsx'
import { ConfigStateChip } from './config-state-chip.tsx'

const UciImport = lazy(() => import('./uci-import.tsx'))

type Props = { device: Device; config: Config }

const taskPath = (taskId: number) => `/task/upgrade/${taskId}`

/** How the last change ended, where that is not what was wanted. */
function Ended({ config, edited }: { config: Config; edited: number }) {
  const { ended, fault, detail, endedAt, taskId } = config
  if (ended === null || ended === 'confirmed' || config.state === 'waiting') return null
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle size={18} stroke={1.5} />}
      mb="sm"
      title={t(`config:ended.${ended}`)}
    >
      <Dotted
        parts={[
          // The detail of a refusal repeats its reason.
          fault
            ? t('kit:labelled', { label: fault.place, text: deviceWords(fault.reason) })
            : detail && endedText(detail),
          endedAt ? <When key="at" at={endedAt} /> : null,
          taskId === null ? null : (
            <Anchor key="task" component="button" onClick={() => goTo(taskPath(taskId))}>
              {t('config:task')}
            </Anchor>
          ),
        ]}
      />
      {edited > 0 ? <div>{t('config:draftKept')}</div> : null}
    </Alert>
  )
}

/** An imported UCI text in the draft: its packages, its author, and the button that discards it. */
function Imported({ deviceId, imported }: { deviceId: number; imported: NonNullable<Config['imported']> }) {
  const discard = useAction(discardConfigDraft, {
    refreshes: [getDeviceConfig, getConfigPage, reviewConfig],
    success: t('config:discarded'),
  })
  const { packages, by, at } = imported
  return (
    <Alert
      color="blue"
      mb="sm"
      icon={<IconFileImport size={18} stroke={1.5} />}
      title={t('config:import.inDraft')}
    >
      <Group justify="space-between">
        <span>
          {packages.join(t('kit:comma'))} · {nameText(by)} <When at={at} />
        </span>
        <ActionButton
          label={t('config:discard')}
          permission={configApplyPermission}
          busy={discard.busy}
          onPress={() => discard.start({ deviceId, page: IMPORTED })}
        />
      </Group>
    </Alert>
  )
}

/** State, what is edited, and what can be done about both. */
export function ConfigBar({ device, config }: Props) {
  const [reviews, setReviews] = useState(false)
  const [compares, setCompares] = useState(false)
  const [imports, setImports] = useState(false)
  const { deviceId } = device
  const revert = useAction(revertTrial, {
    refreshes: [getDeviceConfig, getConfigPage],
    success: t('config:reverting'),
  })
  const { imported } = config
  // A text may contain nothing that any page shows.
  const edited =
    config.pages.reduce((sum, { changed }) => sum + changed.length, 0) || (imported?.packages.length ?? 0)
  const { taskId } = config
  return (
    <>
      <Group justify="space-between" mb="sm" gap="xs">
        <Group gap="sm">
          <ConfigStateChip state={config.state} />
          {config.readAt ? (
            <span style={{ color: 'var(--text-3)' }}>
              <TimeText text="config:readAt" at={config.readAt} />
            </span>
          ) : null}
          {config.state === 'waiting' && taskId !== null ? (
            <Anchor component="button" onClick={() => goTo(taskPath(taskId))}>
              {t('config:task')}
            </Anchor>
          ) : null}
        </Group>
        <Group gap="xs" className={classes['actions'] ?? ''}>
          {config.drift > 0 ? (
            <ActionButton
              icon={IconGitCompare}
              label={t('config:drift.open', { count: config.drift })}
              onPress={() => setCompares(true)}
            />
          ) : null}
          <ActionButton
            icon={IconFileImport}
            label={t('config:import.open')}
            permission={configApplyPermission}
            reason={config.readAt === null ? t('config:offer.unread') : null}
            onPress={() => setImports(true)}
          />
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
      {imported ? <Imported deviceId={deviceId} imported={imported} /> : null}
      <Ended config={config} edited={edited} />
      <ConfigReview opened={reviews} onClose={() => setReviews(false)} device={device} />
      {imports ? (
        <Suspense>
          <UciImport opened onClose={() => setImports(false)} deviceId={deviceId} />
        </Suspense>
      ) : null}
      <ConfigDrift opened={compares} onClose={() => setCompares(false)} deviceId={deviceId} />
    </>
  )
}
