import { TextInput } from '@mantine/core'
import { getSchedule, getScheduleRuns, saveSchedule, scheduleKinds } from '#schema/device/schedule'
import type { ReplyOf } from '#schema/kit/call'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import type { Drawn, Field } from '../kit/form/form-fields.tsx'
import { t } from '../kit/i18n.ts'

export type Schedule = NonNullable<ReplyOf<typeof getSchedule>['schedule']>

const here = Intl.DateTimeFormat().resolvedOptions().timeZone
/** The list of a browser may leave out UTC, and even the zone that it is in. */
const zones = [...new Set(['UTC', here, ...Intl.supportedValuesOf('timeZone')])].toSorted()
const DAYS = ['1', '2', '3', '4', '5', '6', '7'] as const

const DateField = ({ label, required, value, error, set }: Drawn) => (
  <TextInput
    type="date"
    label={label}
    withAsterisk={required}
    value={String(value ?? '')}
    error={error}
    onChange={(event) => set(event.currentTarget.value)}
  />
)

const fields: readonly Field[] = [
  { name: 'enabled', label: 'detail:schedule.enabled', kind: 'switch' },
  {
    name: 'kind',
    label: 'detail:schedule.kind',
    kind: 'select',
    required: true,
    useOptions: () => scheduleKinds.map((value) => ({ value, label: t(`detail:scheduleKind.${value}`) })),
  },
  {
    name: 'date',
    label: 'detail:schedule.date',
    required: true,
    when: ({ kind }) => kind === 'once',
    Draw: DateField,
  },
  {
    name: 'weekdays',
    label: 'detail:schedule.days',
    kind: 'multi',
    required: true,
    when: ({ kind }) => kind === 'weekly',
    useOptions: () => DAYS.map((value) => ({ value, label: t(`detail:weekday.${value}`) })),
  },
  { name: 'time', label: 'detail:schedule.time', kind: 'time', required: true },
  {
    name: 'timeZone',
    label: 'detail:schedule.zone',
    kind: 'select',
    required: true,
    useOptions: () => zones.map((value) => ({ value, label: value })),
  },
]

type Props = {
  deviceId: number
  /** Where the device stands; null: not told. */
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
        // Three at night is meant where the device stands.
        timeZone: schedule?.timeZone ?? zones.find((known) => known === zone) ?? here,
      }}
      fields={fields}
    />
  )
}
