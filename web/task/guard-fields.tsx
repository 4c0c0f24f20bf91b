import { Group, NumberInput, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { GUARD_PERCENT, isGuarded } from '#schema/task/task-guard'
import { addLevelUp } from '#schema/task/upgrade'
import { declaredProps } from '../kit/form/forms.ts'
import { WholeField } from '../kit/form/whole-field.tsx'
import { t } from '../kit/i18n.ts'
import { guardText } from './guard-text.ts'
import type { GuardChoice, RolloutChoice } from './rollout-choice.ts'
import classes from './task.module.css'

type Props = {
  value: GuardChoice & Pick<RolloutChoice, 'waves'>
  change: (part: Partial<GuardChoice>) => void
  errors?: Readonly<Record<string, string>>
  /** Number of devices of the task. */
  total: number
  /** It changes settings instead of installing. */
  config?: boolean
}

/** Empty means no such limit. */
const limit = (value: string | number) => (value === '' ? null : Math.max(1, Number(value) || 1))

export function GuardFields({ value, change, errors = {}, total, config = false }: Props) {
  const on = isGuarded(value)
  // Emptied to type another number, the only limit must not take its field away.
  const [typing, setTyping] = useState(false)
  const put = (part: Partial<GuardChoice>) => {
    setTyping(true)
    change(part)
  }
  return (
    <Stack gap={8}>
      <Switch
        label={t('upgrade:guard.title')}
        description={t(config ? 'upgrade:guard.hintConfig' : 'upgrade:guard.hint')}
        checked={on}
        onChange={(event) => {
          setTyping(false)
          change({
            maxFailures: null,
            maxFailurePercent: event.currentTarget.checked ? GUARD_PERCENT : null,
          })
        }}
      />
      <div className={classes['twoColumns']}>
        {on || typing ? (
          <>
            <NumberInput
              placeholder={t('upgrade:guard.noLimit')}
              {...declaredProps(addLevelUp, 'maxFailurePercent')}
              clampBehavior="strict"
              allowDecimal={false}
              value={value.maxFailurePercent ?? ''}
              onChange={(next) => put({ maxFailurePercent: limit(next) })}
              error={errors['maxFailurePercent']}
            />
            <NumberInput
              placeholder={t('upgrade:guard.noLimit')}
              {...declaredProps(addLevelUp, 'maxFailures')}
              clampBehavior="strict"
              allowDecimal={false}
              value={value.maxFailures ?? ''}
              onChange={(next) => put({ maxFailures: limit(next) })}
              error={errors['maxFailures']}
            />
          </>
        ) : null}
        <WholeField
          {...declaredProps(addLevelUp, 'maxInFlight')}
          clampBehavior="strict"
          value={value.maxInFlight}
          onChange={(maxInFlight) => change({ maxInFlight })}
          error={errors['maxInFlight']}
        />
      </div>
      <Group gap={8}>
        <Text size="sm" c={on ? 'dimmed' : 'var(--warning)'} aria-live="polite">
          {on || !config ? guardText(value, total) : t('upgrade:guard.offConfig')}
        </Text>
      </Group>
    </Stack>
  )
}
