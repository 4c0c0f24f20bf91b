/** The maker of alarm kinds: the rule form, its bounds, the engine and the texts read the declared value. */
import type { Figure } from './figure.ts'
import { ofKind } from './kind.ts'

/**
 * `level`: a figure that lasts, alarmed beyond a threshold. `fault`: a trouble without a figure, which ends by itself.
 * `state`: something that is so until it is put right or accepted. `event`: something that happened; the alarm stays
 * until somebody has handled it.
 */
type AlarmShape = 'level' | 'fault' | 'state' | 'event'
/** What "would have fired last week" is counted from; `none`: nothing is kept for it, and nothing is claimed. */
type AlarmHistory = 'presence' | 'addresses' | 'samples' | 'traffic' | 'none'
type AlarmUnit = 'minutes' | 'dBm' | 'MiB' | 'GiB' | 'load' | '%' | '°C' | 'times'

export type AlarmKindFacts = {
  readonly kind: 'alarmKind'
  /** What rules and alarms store; its texts are `alarm:kind.<name>` and `alarm:condition.<name>`. */
  readonly name: string
  /** Order in which it is offered. */
  readonly place: number
  readonly shape: AlarmShape
  readonly history: AlarmHistory
  /** Levels only: on which side of the threshold the trouble lies. */
  readonly direction?: 'above' | 'below'
  readonly unit?: AlarmUnit
  readonly min?: number
  readonly max?: number
  /** What the form proposes. */
  readonly threshold?: number
  readonly recoverAt?: number
  /** The level of a figure of the status: observed and previewed without further code. */
  readonly figure?: Figure
  /** The threshold is itself a time: no for-duration, no recovery threshold. */
  readonly timed?: boolean
  /** Counted within a window of minutes. */
  readonly windowed?: boolean
  /** Compared with what was so before: devices under such a rule have a row in `alarm_marks`. */
  readonly marked?: boolean
  /** What it is seen on; absent: a device. */
  readonly about?: 'task'
}

/** Declares one alarm kind; the workers refuse to start without its observer, a test without its texts. */
export const alarmKind = <const K extends Omit<AlarmKindFacts, 'kind'>>(
  d: K,
): K & { readonly kind: 'alarmKind' } => ({
  kind: 'alarmKind',
  ...d,
})

export const isAlarmKind = ofKind<AlarmKindFacts>('alarmKind')
