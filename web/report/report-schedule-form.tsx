import { Suspense, useMemo } from 'react'
import type { ReportKind } from '#schema/report/report'
import {
  addReportSchedule,
  getReportScheduleList,
  modifyReportSchedule,
  scheduleRanges,
} from '#schema/report/report-schedule'
import { lazy } from '../kit/chunk.ts'
import type { Field, FormValues } from '../kit/form/form-model.ts'
import { ownZone, presentZone, zoneOptions } from '../kit/form/zones.ts'
import { weekdayName } from '../kit/format.ts'
import { t, textsIn } from '../kit/i18n.ts'
import type { Option, Row } from '../kit/list/list-types.ts'
import { me } from '../kit/me.ts'
import { recipientsField } from './report-recipients.tsx'
import type { ReportState } from './report-state.ts'

// The form includes its validator, which users who only read the report do not need.
const FormDrawer = lazy(() =>
  import('../kit/form/form-drawer.tsx').then((module) => ({ default: module.FormDrawer })),
)

export type Schedule = Row<typeof getReportScheduleList>

const weekdays = (): Option[] =>
  [1, 2, 3, 4, 5, 6, 7].map((day) => ({ value: String(day), label: weekdayName(day) }))

const fields = (id: number | null): (Field | string)[] => [
  { name: 'name', required: true },
  {
    name: 'range',
    required: true,
    choices: () => textsIn('report:range'),
    hint: 'report-schedule:rangeHint',
  },
  {
    name: 'every',
    required: true,
    choices: () => textsIn('report-schedule:every'),
  },
  {
    name: 'weekday',
    required: true,
    useOptions: weekdays,
    when: ({ every }) => every === 'week',
  },
  {
    name: 'monthDay',
    required: true,
    hint: 'report-schedule:monthDayHint',
    when: ({ every }) => every === 'month',
  },
  { name: 'at', required: true },
  { name: 'zone', required: true, useOptions: zoneOptions },
  {
    name: 'recipients',
    Draw: recipientsField(id),
    required: true,
    hint: 'report-schedule:recipientsHint',
  },
  'enabled',
]

type Props = {
  opened: boolean
  onClose: () => void
  report: ReportKind
  state: ReportState
  /** null: a new one, with the filters of the page. */
  row: Schedule | null
}

/** The sent report matches the page: with its group, device and model. */
function fixedOf(report: ReportKind, { groupId, deviceId, model }: ReportState): FormValues {
  return {
    report,
    ...(groupId ? { groupId } : {}),
    ...(deviceId ? { deviceId } : {}),
    ...(model ? { model } : {}),
  }
}

export function ScheduleForm({ opened, onClose, report, state, row }: Props) {
  const id = row?.id ?? null
  const shared = {
    opened,
    onClose,
    // A stable component while the form is open: with a new one the field would lose its focus.
    fields: useMemo(() => fields(id), [id]),
    refreshes: [getReportScheduleList],
    success: t('report-schedule:saved'),
  }
  const email = me().user.user_email
  return (
    <Suspense>
      {row ? (
        <FormDrawer
          {...shared}
          title={t('report-schedule:edit')}
          verb={t('kit:save')}
          edits
          edition={row.edition}
          call={modifyReportSchedule}
          fixed={{ id: row.id }}
          initial={{
            name: row.name,
            range: row.range,
            every: row.every,
            weekday: String(row.weekday),
            monthDay: row.monthDay,
            at: row.at,
            zone: presentZone(row.zone),
            recipients: row.recipients,
            enabled: row.enabled,
          }}
        />
      ) : (
        <FormDrawer
          {...shared}
          title={t('report-schedule:add')}
          verb={t('report-schedule:add')}
          call={addReportSchedule}
          fixed={fixedOf(report, state)}
          initial={{
            range: scheduleRanges.find((range) => range === state.range) ?? '7d',
            every: 'week',
            weekday: '1',
            monthDay: 1,
            at: '08:00',
            zone: ownZone(),
            recipients: email ? [email] : [],
            enabled: true,
          }}
        />
      )}
    </Suspense>
  )
}
