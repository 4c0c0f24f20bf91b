import { Checkbox, Chip, Group, NumberInput, Stack, Switch, Text } from '@mantine/core'
import { addLevelUp } from '#schema/task/upgrade'
import { ClockField } from '../kit/form/date-field.tsx'
import { declaredProps } from '../kit/form/forms.ts'
import { ownZone } from '../kit/form/zones.ts'
import { weekdayName } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { RetryFields } from './retry-fields.tsx'
import type { RolloutChoice } from './rollout-choice.ts'
import { WaveFields } from './wave-fields.tsx'

type Props = {
  value: RolloutChoice
  change: (part: Partial<RolloutChoice>) => void
  errors?: Readonly<Record<string, string>>
  /** It downloads a file, whose failures may be retried. */
  downloads?: boolean
  /** Its kind always needs a second person. */
  secondPerson?: boolean
}

const SOAK_MINUTES = 10
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7]
const NIGHT = { from: '01:00', to: '05:00' }

function Hours({ value: { window }, change, errors = {} }: Props) {
  return (
    <Stack gap={4}>
      <Switch
        label={t('rollout:window.on')}
        checked={window !== null}
        onChange={(event) =>
          change({ window: event.currentTarget.checked ? { ...NIGHT, zone: ownZone() } : null })
        }
      />
      {window ? (
        <>
          <Group gap={8}>
            {(['from', 'to'] as const).map((end) => (
              <ClockField
                key={end}
                label={t(`rollout:window.${end}`)}
                value={window[end]}
                onChange={(clock) => clock && change({ window: { ...window, [end]: clock } })}
                error={errors[`window.${end}`]}
              />
            ))}
          </Group>
          <Chip.Group
            multiple
            value={(window.weekdays?.length ? window.weekdays : WEEKDAYS).map(String)}
            onChange={(days) =>
              days.length > 0 && change({ window: { ...window, weekdays: days.map(Number).toSorted() } })
            }
          >
            <Group gap={6} role="group" aria-label={t('rollout:window.weekdays')}>
              {WEEKDAYS.map((day) => (
                <Chip key={day} value={String(day)} size="sm">
                  {weekdayName(day, 'short')}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
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
      <WaveFields {...props} />
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
      <RetryFields value={value} change={change} downloads={downloads} />
      <Checkbox
        size="sm"
        label={t('rollout:field.unmetered')}
        checked={value.unmetered}
        onChange={(event) => change({ unmetered: event.currentTarget.checked })}
      />
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
