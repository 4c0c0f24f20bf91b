import { Group, NumberInput, Stack, Switch, Text } from '@mantine/core'
import { GUARD_PERCENT, isGuarded, TASK_MAX_ACTIVE } from '#schema/task/task-guard'
import { addLevelUp } from '#schema/task/upgrade'
import { declaredProps } from '../kit/form/forms.ts'
import { t } from '../kit/i18n.ts'
import { guardText } from './guard-text.ts'
import classes from './task.module.css'
import type { Draft } from './upgrade-draft.ts'

type Props = {
  draft: Draft
  change: (part: Partial<Draft>) => void
  errors: Readonly<Record<string, string>>
  /** Number of devices of the task. */
  total: number
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
          {guardText(draft, total)}
        </Text>
      </Group>
    </Stack>
  )
}
