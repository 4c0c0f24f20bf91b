import { Progress, Stack, Text } from '@mantine/core'
import type { ReplyOf } from '#schema/kit/call'
import type { RowOf } from '#schema/kit/list'
import type { TaskFailure } from '#schema/kit/task-kind'
import type { getTaskItems, getTaskList } from '#schema/task/task-calls'
import { endedText } from '../kit/ended-text.ts'
import { number, percent, shortMoment, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { serverNow } from '../kit/server/server-clock.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { useNow } from '../kit/time.tsx'
import { failureName, stepName } from './step-text.ts'
import type { SegmentName } from './task-segments.ts'

export type TaskRow = ReplyOf<typeof getTaskList>['list'][number]
export type ItemRow = RowOf<typeof getTaskItems>

/** The name of a step or an outcome. */
export const segmentText = (name: SegmentName, kind?: string) =>
  name === 'failed' || name === 'cancelled' ? t(`task:event.${name}`) : stepName(name, kind)

/** A start this close is not shown as scheduled, because clocks differ. */
const SOON_MS = 15_000

type Paused = Pick<NonNullable<TaskRow['paused']>, 'reason'>
/** Users paused it, or have yet to approve it; else it stopped itself. */
export const isOurs = ({ reason }: Paused) => reason === 'person' || reason === 'approval'
export const pausedStatus = (paused: Paused) =>
  paused.reason === 'approval'
    ? t('rollout:approval.waiting')
    : t(isOurs(paused) ? 'upgrade:status.paused' : 'upgrade:status.stopped')

/** Why a task is paused, in one line. */
export const pausedText = ({ reason, failed, tried, by }: NonNullable<TaskRow['paused']>) =>
  reason === 'failures'
    ? t('upgrade:paused.failures', { failed: number(failed), tried: number(tried) })
    : reason === 'sender'
      ? t('upgrade:paused.sender')
      : reason === 'wave'
        ? tried
          ? t('rollout:paused.wave', { failed: number(failed), tried: number(tried) })
          : t('rollout:paused.waveNone')
        : reason === 'approval'
          ? t('rollout:approval.title')
          : by
            ? t('upgrade:paused.person', { by: nameText(by) })
            : t('upgrade:paused.byHand')

/** Scheduled, ongoing, completed; a completed one with failures is highlighted, but not as an alarm. */
type TaskChipProps = {
  task: Pick<TaskRow, 'status' | 'startAt' | 'counts' | 'paused' | 'approval'>
  /** The number of failures is shown beside it. */
  brief?: boolean
}

export function TaskChip({ task, brief = false }: TaskChipProps) {
  const now = useNow(10_000)
  if (task.paused)
    return (
      <StatusChip
        tone={isOurs(task.paused) ? 'warning' : 'critical'}
        label={pausedStatus(task.paused)}
        hint={pausedText(task.paused)}
      />
    )
  if (task.status === 'ongoing')
    return Date.parse(task.startAt) > now + SOON_MS ? (
      <StatusChip tone="offline" label={t('upgrade:status.scheduled')} />
    ) : (
      <StatusChip tone="pending" label={t('upgrade:status.ongoing')} />
    )
  const { failed, cancelled, done } = task.counts
  if (task.approval === 'refused' || task.approval === 'expired')
    return <StatusChip tone="offline" label={t(`rollout:approval.${task.approval}`)} />
  if (failed > 0 && brief)
    return done > 0 ? (
      <StatusChip tone="warning" label={t('upgrade:status.partly')} />
    ) : (
      <StatusChip tone="critical" label={t('upgrade:status.failed')} />
    )
  if (failed > 0)
    return <StatusChip tone="warning" label={t('upgrade:status.completedFailed', { count: failed })} />
  if (done === 0 && cancelled > 0) return <StatusChip tone="offline" label={t('upgrade:status.cancelled')} />
  return <StatusChip tone="online" label={t('upgrade:status.completed')} />
}

const tones: Record<NonNullable<ItemRow['outcome']>, Tone> = {
  done: 'online',
  failed: 'critical',
  cancelled: 'offline',
}

/** The state of a device; while it downloads, the progress. */
export function ItemChip({
  item,
  kind,
}: {
  item: Pick<ItemRow, 'step' | 'outcome' | 'percent' | 'soakUntil'>
  kind: string
}) {
  if (item.soakUntil)
    return (
      <StatusChip
        tone="pending"
        label={t('task:event.soaking')}
        hint={t('rollout:item.soaking', { time: shortMoment(item.soakUntil, serverNow()) })}
      />
    )
  if (item.outcome) return <StatusChip tone={tones[item.outcome]} label={segmentText(item.outcome, kind)} />
  const label = segmentText(item.step, kind)
  if (item.step === 'created') return <StatusChip tone="offline" label={label} />
  if (item.step !== 'downloading') return <StatusChip tone="pending" label={label} />
  return (
    <Stack gap={3} maw={150}>
      <StatusChip tone="pending" label={`${label} ${percent(item.percent ?? 0)}`} />
      <Progress value={item.percent ?? 0} size={4} color="var(--pending)" aria-label={label} />
    </Stack>
  )
}

/** Why a step waits: its device keeps retrying. */
export const heldUpText = (cause: TaskFailure, kind: string) =>
  t('upgrade:heldUp', { failure: failureName(cause, kind) })

/** Why an item failed, with the device's own message; or what a running one waits for. */
export function FailureText({
  item,
  kind,
}: {
  kind: string
  item: Pick<ItemRow, 'outcome' | 'failure' | 'failureDetail' | 'heldUpBy' | 'step' | 'retryAt'>
}) {
  // The platform ended it together with the device: deleted, replaced, moved.
  if (item.outcome === 'cancelled' && item.failureDetail)
    return <Text size="sm">{endedText(item.failureDetail)}</Text>
  if (item.heldUpBy) return <Text size="sm">{heldUpText(item.heldUpBy, kind)}</Text>
  if (item.outcome !== 'failed') return UNKNOWN
  const detail = item.failureDetail && endedText(item.failureDetail)
  return (
    <div>
      <Text size="sm">{failureName(item.failure ?? 'unknownError', kind)}</Text>
      <Text size="xs" c="dimmed" truncate title={detail ?? undefined}>
        {item.retryAt
          ? t('rollout:item.retry', { time: shortMoment(item.retryAt, serverNow()) })
          : (detail ?? t('upgrade:failedAt', { step: segmentText(item.step, kind) }))}
      </Text>
    </div>
  )
}
