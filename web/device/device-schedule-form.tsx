import { getSchedule, getScheduleRuns, saveSchedule } from '#schema/device/schedule'
import type { ReplyOf } from '#schema/kit/call'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import type { Field } from '../kit/form/form-model.ts'
import { presentZone, zoneOfDevice, zoneOptions } from '../kit/form/zones.ts'
import { t, textsIn } from '../kit/i18n.ts'

export type Schedule = NonNullable<ReplyOf<typeof getSchedule>['schedule']>

const fields: readonly (Field | string)[] = [
  'enabled',
  {
    name: 'kind',
    required: true,
    choices: () => textsIn('detail:scheduleKind'),
  },
  {
    name: 'date',
    required: true,
    when: ({ kind }) => kind === 'once',
  },
  {
    name: 'weekdays',
    required: true,
    when: ({ kind }) => kind === 'weekly',
    useOptions: () => Object.entries(textsIn('detail:weekday')).map(([value, label]) => ({ value, label })),
  },
  { name: 'time', required: true },
  {
    name: 'timeZone',
    required: true,
    useOptions: zoneOptions,
  },
]

type Props = {
  deviceId: number
  /** The zone of the device; null: not reported. */
  zone: string | null
  schedule: Schedule | null
  edition: string | undefined
  opened: boolean
  onClose: () => void
}

export function ScheduleForm({ deviceId, zone, schedule, edition, opened, onClose }: Props) {
  return (
    <FormDrawer
      opened={opened}
      onClose={onClose}
      title={t('detail:schedule.title')}
      verb={t('device:action.save')}
      call={saveSchedule}
      refreshes={[getSchedule, getScheduleRuns]}
      success={t('device:action.saved')}
      fixed={{ deviceId }}
      edition={edition}
      initial={{
        enabled: schedule?.enabled ?? true,
        kind: schedule?.kind ?? 'daily',
        date: schedule?.date ?? '',
        weekdays: (schedule?.weekdays ?? []).map(String),
        time: schedule?.time ?? '03:00',
        // "Three at night" means the device's local time.
        timeZone: schedule ? presentZone(schedule.timeZone) : zoneOfDevice(zone),
      }}
      fields={fields}
    />
  )
}
