import { NumberInput } from '@mantine/core'
import type { DeviceFilter } from '#schema/device/device'
import { JOIN_DAYS_MAX, momentary } from '#schema/task/task-join'
import { t } from '../kit/i18n.ts'

type Props = { filter: DeviceFilter; days: number | null; onChange: (days: number | null) => void }

/** For how many days the task follows its filter; empty: only the devices that match now. */
export function JoinField({ filter, days, onChange }: Props) {
  const followed = momentary(filter) === null
  return (
    <NumberInput
      label={t('rollout:join.days')}
      description={t(followed ? 'rollout:join.hint' : 'rollout:join.moment')}
      placeholder={t('rollout:join.none')}
      disabled={!followed}
      min={1}
      max={JOIN_DAYS_MAX}
      clampBehavior="strict"
      allowDecimal={false}
      value={followed ? (days ?? '') : ''}
      onChange={(value) => onChange(value === '' ? null : Number(value) || 1)}
    />
  )
}
