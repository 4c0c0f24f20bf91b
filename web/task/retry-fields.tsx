import { ActionIcon, Button, Group, NativeSelect, Stack, Switch } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type TaskFailure, taskFailures } from '#schema/kit/task-kind'
import { RETRIES_MAX, type RetryRule } from '#schema/task/task-rollout'
import { WholeField } from '../kit/form/whole-field.tsx'
import { loadWords, t } from '../kit/i18n.ts'
import { type RolloutChoice, retriedDownloads } from './rollout-choice.ts'

// Names of failures: not every page that sends a task has them.
await loadWords(['task'])

type Props = {
  value: Pick<RolloutChoice, 'retries'>
  change: (part: Pick<RolloutChoice, 'retries'>) => void
  downloads: boolean
}

const MINUTES_MAX = 1440
const proposed = (failure: TaskFailure): RetryRule => ({ failure, times: 3, afterMinutes: 10 })
const nameOf = (failure: TaskFailure) => t(`task:failure.${failure}`)

/** Which failures the platform retries by itself: each with how often, and after how long. */
export function RetryFields({ value: { retries }, change, downloads }: Props) {
  const free = taskFailures.filter((failure) => !retries.some((rule) => rule.failure === failure))
  const begun = downloads ? retriedDownloads : [proposed('deviceOffline')]
  const set = (nth: number, part: Partial<RetryRule>) =>
    change({ retries: retries.map((rule, i) => (i === nth ? { ...rule, ...part } : rule)) })
  return (
    <Stack gap={8}>
      <Switch
        label={t(downloads ? 'rollout:plan.retry' : 'rollout:plan.retryAny')}
        description={t('rollout:plan.retryHint')}
        checked={retries.length > 0}
        onChange={(event) => change({ retries: event.currentTarget.checked ? begun : [] })}
      />
      {retries.map(({ failure, times, afterMinutes }, nth) => (
        <Group key={failure} gap={8} align="flex-end">
          <NativeSelect
            // On a phone a line of its own: beside the numbers its name would be cut off.
            flex={{ base: '0 0 100%', sm: '1 1 0' }}
            miw={0}
            label={nth === 0 ? t('rollout:plan.failure') : undefined}
            aria-label={t('rollout:plan.failure')}
            value={failure}
            data={[failure, ...free].map((one) => ({ value: one, label: nameOf(one) }))}
            onChange={(event) => {
              const next = taskFailures.find((one) => one === event.currentTarget.value)
              if (next) set(nth, { failure: next })
            }}
          />
          <WholeField
            w={84}
            label={nth === 0 ? t('rollout:plan.times') : undefined}
            aria-label={`${nameOf(failure)}: ${t('rollout:plan.times')}`}
            min={1}
            max={RETRIES_MAX}
            clampBehavior="strict"
            value={times}
            onChange={(next) => set(nth, { times: next })}
          />
          <WholeField
            w={110}
            label={nth === 0 ? t('rollout:plan.afterMinutes') : undefined}
            aria-label={`${nameOf(failure)}: ${t('rollout:plan.afterMinutes')}`}
            min={1}
            max={MINUTES_MAX}
            clampBehavior="strict"
            value={afterMinutes}
            onChange={(next) => set(nth, { afterMinutes: next })}
          />
          <ActionIcon
            variant="subtle"
            mb={4}
            aria-label={t('rollout:plan.removeRetry', { failure: nameOf(failure) })}
            onClick={() => change({ retries: retries.filter((_, i) => i !== nth) })}
          >
            <IconTrash size={16} stroke={1.5} />
          </ActionIcon>
        </Group>
      ))}
      {retries.length > 0 && free[0] ? (
        <Group justify="flex-end">
          <Button
            size="compact-md"
            variant="default"
            leftSection={<IconPlus size={16} stroke={1.5} />}
            onClick={() => free[0] && change({ retries: [...retries, proposed(free[0])] })}
          >
            {t('rollout:plan.addRetry')}
          </Button>
        </Group>
      ) : null}
    </Stack>
  )
}
