/** When an advertisement is shown, in one line. */
import { t } from '../kit/i18n.ts'
import type { Option } from '../kit/list/list-types.ts'
import { language } from '../kit/session.ts'

type Scheduled = {
  fromDate: string | null
  toDate: string | null
  weekdays: readonly number[]
  fromTime: string | null
  toTime: string | null
}

const WEEK = [1, 2, 3, 4, 5, 6, 7] as const
/** The first of January 2024 was a Monday. */
const dayName = (day: number, weekday: 'long' | 'short') =>
  new Date(Date.UTC(2024, 0, day)).toLocaleDateString(language(), { weekday, timeZone: 'UTC' })
export const weekdayOptions = (): readonly Option[] =>
  WEEK.map((day) => ({ value: String(day), label: dayName(day, 'long') }))

function period({ fromDate: from, toDate: to }: Scheduled): string | null {
  if (from !== null && to !== null) return t('advertisement:time.range', { from, to })
  if (from !== null) return t('advertisement:time.since', { from })
  return to === null ? null : t('advertisement:time.until', { to })
}

export function scheduleText(row: Scheduled): string {
  const { weekdays, fromTime, toTime } = row
  const days =
    weekdays.length % WEEK.length === 0
      ? null
      : weekdays.map((day) => dayName(day, 'short')).join(t('kit:comma'))
  const hours = fromTime === null || toTime === null ? null : `${fromTime}–${toTime}`
  return [period(row), days, hours].filter(Boolean).join(' · ') || t('advertisement:time.always')
}
