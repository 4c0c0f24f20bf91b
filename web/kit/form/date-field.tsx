/**
 * Dates and times of day in the console's language and form, whatever the browser's are; inputs of the browser would
 * follow the browser. What they need is loaded with the first of them.
 */
import { TextInput } from '@mantine/core'
import { Suspense } from 'react'
import { lazy } from '../chunk.ts'
import { moment } from '../format.ts'
import type { DateFieldProps } from './date-inputs.tsx'

const DayInput = lazy(() => import('./date-inputs.tsx').then((module) => ({ default: module.DayInput })))
const ClockInput = lazy(() => import('./date-inputs.tsx').then((module) => ({ default: module.ClockInput })))

/** Takes the same room while the input is loaded. */
function Loading({ onChange: _, clearable: _clearable, minDate: _minDate, ...props }: DateFieldProps) {
  return <TextInput {...props} value={props.value.replace('T', ' ')} readOnly />
}

/** `YYYY-MM-DD` */
export const DateField = (props: DateFieldProps) => (
  <Suspense fallback={<Loading {...props} />}>
    <DayInput {...props} withTime={false} />
  </Suspense>
)

/** `YYYY-MM-DDTHH:mm` in the viewer's zone. */
export const MomentField = (props: DateFieldProps) => (
  <Suspense fallback={<Loading {...props} />}>
    <DayInput {...props} withTime />
  </Suspense>
)

/** `HH:mm` */
export const ClockField = ({ minDate: _, ...props }: DateFieldProps) => (
  <Suspense fallback={<Loading {...props} />}>
    <ClockInput {...props} />
  </Suspense>
)

/** A point in time as `MomentField` has it, and back; '' and what is no point in time: ''. */
export const localOf = (at: unknown): string =>
  (typeof at === 'string' && at !== '') || typeof at === 'number' || at instanceof Date
    ? moment(new Date(at)).slice(0, 16).replace(' ', 'T')
    : ''
export const instantOf = (local: string): string => (local === '' ? '' : new Date(local).toISOString())
