import { Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react'
import type { ReplyOf } from '#schema/kit/call'
import { preflightConfig } from '#schema/task/config-task'
import type { DelayReason } from '#schema/task/file-task'
import { preflightUpgrade } from '#schema/task/upgrade'
import { ErrorBar } from '../kit/error-bar.tsx'
import { bytes, duration, number, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { LeftOutList } from './left-out.tsx'
import { MobileDataLines } from './mobile-data.tsx'
import classes from './task.module.css'
import { type Draft, targetOf } from './upgrade-draft.ts'

const matchingOf = ({ eligible, ineligible }: ReplyOf<typeof preflightUpgrade>) => ({
  matching: ineligible.reduce((sum, { count }) => sum + count, eligible),
})

/**
 * The server's check of the draft's devices: repeated whenever file or devices change. While they are chosen the last one stays
 * until the next arrives; where the task is created, only that of exactly these is shown.
 */
export function usePreflight(draft: Draft) {
  const target = targetOf(draft)
  const body = { ...target, spId: draft.chosen?.spId ?? 0 }
  const of = draft.chosen === null || target === null ? null : draft.chosen.type
  const options = { keepPrevious: draft.step < 2, staleMs: 5_000 }
  const config = useCall(preflightConfig, body, { ...options, enabled: of === 'config' })
  const upgrade = useCall(preflightUpgrade, body, { ...options, enabled: of !== null && of !== 'config' })
  if (of !== 'config')
    return {
      ...upgrade,
      data: upgrade.data && { ...upgrade.data, ...matchingOf(upgrade.data), models: [], leftOut: [] },
    }
  return {
    ...config,
    data: config.data && { ...config.data, ineligible: [], memoryShort: null, downgraded: null },
  }
}
type Preflight = ReturnType<typeof usePreflight>

const samples = ({ sample, count }: { sample: string[]; count: number }) =>
  sample.length === 0
    ? ''
    : count > sample.length
      ? t('upgrade:preflight.andMore', { sample: sample.join(t('kit:comma')), count: count - sample.length })
      : sample.join(t('kit:comma'))

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

const modelsText = (models: readonly { model: string | null; count: number }[]) =>
  models
    .map(({ model, count }) => t('kit:counted', { what: model ?? UNKNOWN, count: number(count) }))
    .join(t('kit:comma'))

/** @param of the devices meant, with some serial numbers; null: these are not shown */
const WarningLine = ({ text, of }: { text: string; of: { sample: string[]; count: number } | null }) => (
  <div className={classes['verdictLine']}>
    <IconAlertTriangle size={18} color="var(--warning)" aria-hidden />
    <div>
      <Text>{text}</Text>
      {of ? (
        <Text size="xs" c="dimmed">
          {samples(of)}
        </Text>
      ) : null}
    </div>
  </div>
)

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
            {draft.chosen?.type === 'config'
              ? data.eligible > 0
                ? t('config-task:wizard.eligible', { count: data.eligible })
                : t('config-task:wizard.none')
              : data.eligible > 0
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
        <MobileDataLines mobile={data.mobile} unmetered={draft.unmetered} />
        {data.downgraded && data.downgraded.count > 0 ? (
          <WarningLine
            text={t('upgrade:preflight.downgraded', { count: data.downgraded.count })}
            of={brief ? null : data.downgraded}
          />
        ) : null}
        {data.memoryShort && data.memoryShort.count > 0 ? (
          <WarningLine
            text={t('upgrade:preflight.memoryShort', {
              count: data.memoryShort.count,
              bytes: bytes(data.memoryShort.neededBytes),
            })}
            of={brief ? null : data.memoryShort}
          />
        ) : null}
        {data.models.length > 1 ? (
          <WarningLine text={t('config-task:wizard.models', { models: modelsText(data.models) })} of={null} />
        ) : null}
        {data.leftOut.length > 0 ? <LeftOutList leftOut={data.leftOut} /> : null}
        {data.ineligible.map((group) => (
          <WarningLine
            key={group.reason}
            text={t(`upgrade:ineligible.${group.reason}`, { count: group.count })}
            of={brief ? null : group}
          />
        ))}
      </Stack>
    </div>
  )
}
