/** Loaded when a form first asks for a date; use them by `date-field.tsx`. */
import '@mantine/dates/styles.css'
import 'dayjs/locale/zh-cn'
import 'dayjs/locale/zh-tw'
import { DateInput, TimePicker } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { Language } from '#schema/kit/refusal'
import { t } from '../i18n.ts'
import { language } from '../session.ts'
import { typedDate } from './typed-date.ts'

export type DateFieldProps = {
  label?: string
  'aria-label'?: string
  description?: ReactNode
  withAsterisk?: boolean
  error?: ReactNode
  /** '': none. */
  value: string
  onChange: (value: string) => void
  onFocus?: () => void
  onBlur?: () => void
  /** By which a field with an error is found. */
  'data-path'?: string
  clearable?: boolean
  /** `YYYY-MM-DD`: no day before it. */
  minDate?: string
  w?: number
  mt?: number
}

const locales: Record<Language, string> = { 'zh-CN': 'zh-cn', 'zh-TW': 'zh-tw', 'en-US': 'en' }

const labels = () => {
  const [next, previous, level] = [t('form:date.next'), t('form:date.previous'), t('form:date.level')]
  return {
    nextMonth: next,
    nextYear: next,
    nextDecade: next,
    previousMonth: previous,
    previousYear: previous,
    previousDecade: previous,
    monthLevelControl: level,
    yearLevelControl: level,
  }
}

/** Typed, or picked from a calendar; a picked day keeps the time of day. */
export function DayInput({
  value,
  onChange,
  withTime,
  clearable = false,
  ...props
}: DateFieldProps & { withTime: boolean }) {
  const [open, setOpen] = useState(false)
  const format = withTime ? 'YYYY-MM-DD HH:mm' : 'YYYY-MM-DD'
  const change = (next: string | null) => {
    if (next === null) onChange('')
    else if (!withTime) onChange(next.slice(0, 10))
    else onChange(`${next.slice(0, 10)}T${next.slice(11, 16) || value.slice(11, 16) || '00:00'}`)
  }
  return (
    <DateInput
      {...props}
      value={value === '' ? null : value.replace('T', ' ')}
      onChange={change}
      withTime={withTime}
      valueFormat={format}
      placeholder={format}
      dateParser={(text) => typedDate(text, withTime)}
      locale={locales[language()]}
      monthLabelFormat={t('form:date.month')}
      ariaLabels={labels()}
      // Not in red, which means that a person has to act.
      weekendDays={[]}
      clearable={clearable}
      clearButtonProps={{ 'aria-label': t('form:date.clear'), tabIndex: -1 }}
      rightSection={<IconCalendar size={16} stroke={1.5} />}
      rightSectionPointerEvents="none"
      popoverProps={{ shadow: 'md', onOpen: () => setOpen(true), onClose: () => setOpen(false) }}
      // Escape closes the calendar, not the drawer around it.
      data-mantine-stop-propagation={open || undefined}
    />
  )
}

export function ClockInput({ value, onChange, clearable = false, ...props }: DateFieldProps) {
  return (
    <TimePicker
      {...props}
      value={value}
      onChange={onChange}
      clearable={clearable}
      clearButtonProps={{ 'aria-label': t('form:date.clear'), tabIndex: -1 }}
      hoursInputLabel={t('form:date.hours')}
      minutesInputLabel={t('form:date.minutes')}
    />
  )
}
