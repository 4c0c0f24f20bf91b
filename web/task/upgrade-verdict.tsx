import { Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react'
import { type DelayReason, preflightUpgrade } from '#schema/task/upgrade'
import { ErrorBar } from '../kit/error-bar.tsx'
import { duration } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import classes from './task.module.css'
import { type Draft, targetOf } from './upgrade-draft.ts'

/** The server's check of the draft's devices: repeated whenever package or devices change. */
export function usePreflight(draft: Draft) {
  const target = targetOf(draft)
  return useCall(
    preflightUpgrade,
    { ...target, spId: draft.chosen?.spId ?? 0 },
    { enabled: draft.chosen !== null && target !== null, keepPrevious: true, staleMs: 5_000 },
  )
}
type Preflight = ReturnType<typeof usePreflight>

const samples = ({ sample, count }: { sample: string[]; count: number }) =>
  sample.length === 0
    ? ''
    : count > sample.length
      ? t('upgrade:preflight.andMore', { sample: sample.join(', '), count: count - sample.length })
      : sample.join(', ')

/** What happens to devices that are offline depends on how long the draft waits for them, and when it starts. */
export function delayText(
  draft: Pick<Draft, 'startAt' | 'waitOfflineMinutes'>,
  defaultMinutes: number,
  { reason, count }: { reason: DelayReason; count: number },
): string {
  if (reason === 'busy') return t('upgrade:delay.busy', { count })
  const minutes = draft.waitOfflineMinutes ?? defaultMinutes
  if (minutes > 0) return t('upgrade:delay.waited', { count, time: duration(minutes * 60) })
  return t(draft.startAt === null ? 'upgrade:delay.failsNow' : 'upgrade:delay.failsThen', { count })
}

type Props = { draft: Draft; preflight: Preflight; brief?: boolean }

/** How many devices can take the package, which have to wait and why, which cannot and why. */
export function VerdictBox({ draft, preflight, brief = false }: Props) {
  const { data, error } = preflight
  if (error) return <ErrorBar error={error} onRetry={() => void preflight.refetch()} />
  if (!data) return preflight.isFetching ? <Skeleton height={66} /> : null
  return (
    <div className={classes['verdict']} aria-live="polite" aria-busy={preflight.isFetching}>
      <Stack gap={8}>
        <div className={classes['verdictLine']}>
          {data.eligible > 0 ? (
            <IconCircleCheck size={18} color="var(--online)" aria-hidden />
          ) : (
            <IconAlertTriangle size={18} color="var(--warning)" aria-hidden />
          )}
          <Text fw={600}>
            {data.eligible > 0
              ? t('upgrade:preflight.eligible', { count: data.eligible })
              : t('upgrade:preflight.none')}
          </Text>
        </div>
        {data.delayed.map((group) => (
          <div key={group.reason} className={classes['verdictLine']}>
            <IconClock size={18} color="var(--pending)" aria-hidden />
            <div>
              <Text>{delayText(draft, data.waitOfflineMinutes, group)}</Text>
              {brief ? null : (
                <Text size="xs" c="dimmed">
                  {samples(group)}
                </Text>
              )}
            </div>
          </div>
        ))}
        {data.ineligible.map((group) => (
          <div key={group.reason} className={classes['verdictLine']}>
            <IconAlertTriangle size={18} color="var(--warning)" aria-hidden />
            <div>
              <Text>{t(`upgrade:ineligible.${group.reason}`, { count: group.count })}</Text>
              {brief ? null : (
                <Text size="xs" c="dimmed">
                  {samples(group)}
                </Text>
              )}
            </div>
          </div>
        ))}
      </Stack>
    </div>
  )
}
