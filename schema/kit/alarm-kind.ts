/** The maker of alarm kinds: the rule form, its bounds, the engine and the texts use the declared value. */
import type { Figure } from './figure.ts'
import { ofKind } from './kind.ts'

/**
 * `level`: a value beyond a threshold. `fault`: a problem without a value, which ends by itself. `state`: a condition
 * that lasts until it is corrected or accepted. `event`: the alarm stays until a user has handled it.
 */
type AlarmShape = 'level' | 'fault' | 'state' | 'event'
/** The history from which "would have fired last week" is counted; `none`: no history, so no count is shown. */
type AlarmHistory = 'presence' | 'addresses' | 'samples' | 'traffic' | 'none'
export type AlarmTab = 'overview' | 'network' | 'configuration' | 'services' | 'history'
type AlarmUnit = 'minutes' | 'dBm' | 'MiB' | 'GiB' | 'load' | '%' | '°C' | 'times'

export type AlarmKindFacts = {
  readonly kind: 'alarmKind'
  /** Stored in rules and alarms; its texts are `alarm:kind.<name>` and `alarm:condition.<name>`. */
  readonly name: string
  /** Order in lists. */
  readonly place: number
  readonly shape: AlarmShape
  readonly history: AlarmHistory
  /** Only for levels: the side of the threshold that raises the alarm. */
  readonly direction?: 'above' | 'below'
  readonly unit?: AlarmUnit
  readonly min?: number
  readonly max?: number
  /** Default of the form. */
  readonly threshold?: number
  readonly recoverAt?: number
  /** The level of a status figure: observed and previewed without further code. */
  readonly figure?: Figure
  /** The threshold is itself a duration: no minimum duration, no recovery threshold. */
  readonly timed?: boolean
  /** Counted within a window of minutes. */
  readonly windowed?: boolean
  /** Compared with an earlier value: devices under such a rule have a row in `alarm_marks`. */
  readonly marked?: boolean
  /** The tab of the device page that shows more about it. Default: overview. */
  readonly tab?: AlarmTab
  /** The subject; absent: a device. Rules about variables have forms and lists of their own. */
  readonly about?: 'task' | 'variable'
}

/** Declares one alarm kind; the workers refuse to start without its observer, a test fails without its texts. */
export const alarmKind = <const K extends Omit<AlarmKindFacts, 'kind'>>(
  d: K,
): K & { readonly kind: 'alarmKind' } => ({
  kind: 'alarmKind',
  ...d,
})

export const isAlarmKind = ofKind<AlarmKindFacts>('alarmKind')
