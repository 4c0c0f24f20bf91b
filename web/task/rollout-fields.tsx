import { Checkbox, Group, NumberInput, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { WaveRule } from '#schema/task/task-wave'
import { addLevelUp } from '#schema/task/upgrade'
import { declaredProps } from '../kit/form/forms.ts'
import { t } from '../kit/i18n.ts'
import { type RolloutChoice, retriedDownloads, sharesOf, wavesFrom } from './rollout-choice.ts'
import classes from './task.module.css'

type Props = {
  value: RolloutChoice
  change: (part: Partial<RolloutChoice>) => void
  errors?: Readonly<Record<string, string>>
  /** It downloads a file, whose failures may be retried. */
  downloads?: boolean
  /** Its kind always needs a second person. */
  secondPerson?: boolean
}

const CANARY: WaveRule[] = [
  { by: 'percent', value: 5 },
  { by: 'percent', value: 20 },
]
const SOAK_MINUTES = 10
const NIGHT = { from: '01:00', to: '05:00' }
const here = () => Intl.DateTimeFormat().resolvedOptions().timeZone

function Waves({ value, change, errors = {} }: Props) {
  const [typed, setTyped] = useState(() => sharesOf(value.waves))
  const on = value.waves.length > 0
  return (
    <Stack gap={4}>
      <Switch
        label={t('rollout:plan.canary')}
        checked={on}
        onChange={(event) => {
          const waves = event.currentTarget.checked ? CANARY : []
          setTyped(sharesOf(waves))
          change({ waves })
        }}
      />
      {on ? (
        <div className={classes['twoColumns']}>
          <TextInput
            label={t('rollout:plan.shares')}
            value={typed}
            inputMode="numeric"
            autoComplete="off"
            onChange={(event) => {
              setTyped(event.currentTarget.value)
              const waves = wavesFrom(event.currentTarget.value)
              if (waves.length > 0) change({ waves })
            }}
            onBlur={() => setTyped(sharesOf(value.waves))}
            error={errors['waves']}
          />
          <NumberInput
            {...declaredProps(addLevelUp, 'waveSuccessPercent')}
            clampBehavior="strict"
            allowDecimal={false}
            value={value.waveSuccessPercent}
            onChange={(percent) => change({ waveSuccessPercent: Number(percent) || 1 })}
            error={errors['waveSuccessPercent']}
          />
        </div>
      ) : null}
    </Stack>
  )
}

function Hours({ value: { window }, change, errors = {} }: Props) {
  return (
    <Stack gap={4}>
      <Switch
        label={t('rollout:window.on')}
        checked={window !== null}
        onChange={(event) =>
          change({ window: event.currentTarget.checked ? { ...NIGHT, zone: here() } : null })
        }
      />
      {window ? (
        <>
          <Group gap={8}>
            {(['from', 'to'] as const).map((end) => (
              <TextInput
                key={end}
                type="time"
                label={t(`rollout:window.${end}`)}
                value={window[end]}
                onChange={(event) =>
                  event.currentTarget.value &&
                  change({ window: { ...window, [end]: event.currentTarget.value } })
                }
                error={errors[`window.${end}`]}
              />
            ))}
          </Group>
          <Text size="sm" c="dimmed">
            {t('rollout:window.hint', { zone: window.zone ?? 'UTC' })}
          </Text>
        </>
      ) : null}
    </Stack>
  )
}

/** How a task is rolled out: approval, waves, hours, soak, retries. */
export function RolloutFields(props: Props) {
  const { value, change, errors = {}, downloads = false, secondPerson = false } = props
  return (
    <Stack gap="sm">
      <Waves {...props} />
      <Hours {...props} />
      <NumberInput
        {...declaredProps(addLevelUp, 'soakMinutes')}
        placeholder={t('upgrade:guard.none')}
        clampBehavior="strict"
        allowDecimal={false}
        step={SOAK_MINUTES}
        value={value.soakMinutes ?? ''}
        onChange={(minutes) => change({ soakMinutes: minutes === '' ? null : Number(minutes) || 1 })}
        error={errors['soakMinutes']}
      />
      {downloads ? (
        <Switch
          label={t('rollout:plan.retry')}
          description={t('rollout:plan.retryHint')}
          checked={value.retries.length > 0}
          onChange={(event) => change({ retries: event.currentTarget.checked ? retriedDownloads : [] })}
        />
      ) : null}
      {downloads ? (
        <Checkbox
          size="sm"
          label={t('rollout:field.unmetered')}
          checked={value.unmetered}
          onChange={(event) => change({ unmetered: event.currentTarget.checked })}
        />
      ) : null}
      <Checkbox
        size="sm"
        label={t('rollout:approval.ask')}
        checked={value.approval || secondPerson}
        disabled={secondPerson}
        onChange={(event) => change({ approval: event.currentTarget.checked })}
      />
    </Stack>
  )
}
