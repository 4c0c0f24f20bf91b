import { Group, NumberInput, Stack, Switch, Text } from '@mantine/core'
import {
  GUARD_PERCENT,
  guardStopsAt,
  isGuarded,
  leastFailures,
  RAMP_START,
  TASK_MAX_ACTIVE,
} from '#schema/task/task-guard'
import { waveSize } from '#schema/task/task-wave'
import { addLevelUp } from '#schema/task/upgrade'
import { declaredProps } from '../kit/form/forms.ts'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { language } from '../kit/session.ts'
import classes from './task.module.css'
import type { Draft } from './upgrade-draft.ts'

type Props = {
  draft: Draft
  change: (part: Partial<Draft>) => void
  errors: Readonly<Record<string, string>>
  /** Number of devices of the task. */
  total: number
}

/** A description of what the limits mean for this task. */
function meaning(draft: Draft, total: number): string {
  if (!isGuarded(draft)) return t('upgrade:guard.off')
  const at = guardStopsAt(draft, total)
  if (at === null) return t('upgrade:guard.never', { total: number(total) })
  const [first] = draft.waves
  const size = first === undefined ? null : waveSize(first, total)
  const inFirst = size === null ? null : guardStopsAt(draft, size)
  return [
    t('upgrade:guard.stopsAt', { total: number(total), at: number(at) }),
    ...(size === null || inFirst === null
      ? []
      : [t('upgrade:guard.firstWave', { size: number(size), at: number(inFirst) })]),
    ...(draft.maxFailurePercent === null ? [] : [t('upgrade:guard.judged', { min: leastFailures(total) })]),
    ...(Math.min(total, draft.maxInFlight) > RAMP_START
      ? [t('upgrade:guard.ramp', { start: RAMP_START })]
      : []),
  ].join(language() === 'en-US' ? ' ' : '')
}

/** Empty means no such limit. */
const limit = (value: string | number) => (value === '' ? null : Math.max(1, Number(value) || 1))

export function WizardGuard({ draft, change, errors, total }: Props) {
  const on = isGuarded(draft)
  return (
    <Stack gap={8}>
      <Switch
        label={t('upgrade:guard.title')}
        description={t('upgrade:guard.hint')}
        checked={on}
        onChange={(event) =>
          change({
            maxFailures: null,
            maxFailurePercent: event.currentTarget.checked ? GUARD_PERCENT : null,
          })
        }
      />
      <div className={classes['twoColumns']}>
        {on ? (
          <>
            <NumberInput
              placeholder={t('upgrade:guard.noLimit')}
              {...declaredProps(addLevelUp, 'maxFailurePercent')}
              clampBehavior="strict"
              allowDecimal={false}
              value={draft.maxFailurePercent ?? ''}
              onChange={(value) => change({ maxFailurePercent: limit(value) })}
              error={errors['maxFailurePercent']}
            />
            <NumberInput
              placeholder={t('upgrade:guard.noLimit')}
              {...declaredProps(addLevelUp, 'maxFailures')}
              clampBehavior="strict"
              allowDecimal={false}
              value={draft.maxFailures ?? ''}
              onChange={(value) => change({ maxFailures: limit(value) })}
              error={errors['maxFailures']}
            />
          </>
        ) : null}
        <NumberInput
          {...declaredProps(addLevelUp, 'maxInFlight')}
          clampBehavior="strict"
          allowDecimal={false}
          value={draft.maxInFlight}
          onChange={(value) => change({ maxInFlight: Number(value) || TASK_MAX_ACTIVE })}
          error={errors['maxInFlight']}
        />
      </div>
      <Group gap={8}>
        <Text size="sm" c={on ? 'dimmed' : 'var(--warning)'} aria-live="polite">
          {meaning(draft, total)}
        </Text>
      </Group>
    </Stack>
  )
}
