/** What a dialog chose about the rollout of a task, and its part of the call's body. */
import type { DeviceFilter } from '#schema/device/device'
import type { BodyOf } from '#schema/kit/call'
import type { TaskFailure } from '#schema/kit/task-kind'
import { GUARD_PERCENT, TASK_MAX_ACTIVE } from '#schema/task/task-guard'
import { momentary } from '#schema/task/task-join'
import { type RetryRule, WAVE_SUCCESS_PERCENT } from '#schema/task/task-rollout'
import type { WaveRule } from '#schema/task/task-wave'
import type { ClockWindow } from '#schema/task/task-window'
import type { addLevelUp } from '#schema/task/upgrade'

export type RolloutChoice = {
  waves: WaveRule[]
  waveSuccessPercent: number
  soakMinutes: number | null
  window: ClockWindow | null
  retries: RetryRule[]
  unmetered: boolean
  approval: boolean
  /** For how many days the filter is followed; null: not. */
  joinDays: number | null
}

export const noRollout: RolloutChoice = {
  waves: [],
  waveSuccessPercent: WAVE_SUCCESS_PERCENT,
  soakMinutes: null,
  window: null,
  retries: [],
  unmetered: false,
  approval: false,
  joinDays: null,
}

/** What a weak connection causes. */
const ofTheLine: readonly TaskFailure[] = [
  'downloadTimeout',
  'connectTimeout',
  'remoteConnectFailed',
  'md5Failed',
]
export const retriedDownloads: RetryRule[] = ofTheLine.map((failure) => ({
  failure,
  times: 3,
  afterMinutes: 10,
}))

/** When the task pauses itself; both limits null: never. */
export type GuardChoice = {
  maxFailures: number | null
  maxFailurePercent: number | null
  maxInFlight: number
}

/** For everything that goes to many devices and may break them. */
export const proposedGuard: GuardChoice = {
  maxFailures: null,
  maxFailurePercent: GUARD_PERCENT,
  maxInFlight: TASK_MAX_ACTIVE,
}

const DAY_MS = 86_400_000

/** When the task stops following its filter, if it can follow it; null: it does not. */
export const joinsUntil = (
  days: number | null,
  filter: DeviceFilter | undefined,
  now: number,
): { joinUntil?: string } =>
  days === null || !filter || momentary(filter) !== null
    ? {}
    : { joinUntil: new Date(now + days * DAY_MS).toISOString() }

const EVERY_DAY = 7
/** All days are none in particular. */
const windowOf = ({ weekdays, ...window }: ClockWindow): ClockWindow =>
  weekdays && weekdays.length > 0 && weekdays.length < EVERY_DAY ? { ...window, weekdays } : window

/** Without what is left at its default. */
export const rolloutBody = (
  choice: RolloutChoice,
): Pick<
  BodyOf<typeof addLevelUp>,
  'waves' | 'waveSuccessPercent' | 'soakMinutes' | 'window' | 'retries' | 'unmetered' | 'approval'
> => ({
  ...(choice.waves.length > 0 ? { waves: choice.waves, waveSuccessPercent: choice.waveSuccessPercent } : {}),
  ...(choice.soakMinutes === null ? {} : { soakMinutes: choice.soakMinutes }),
  ...(choice.window === null ? {} : { window: windowOf(choice.window) }),
  ...(choice.retries.length > 0 ? { retries: choice.retries } : {}),
  ...(choice.unmetered ? { unmetered: true } : {}),
  ...(choice.approval ? { approval: true } : {}),
})
