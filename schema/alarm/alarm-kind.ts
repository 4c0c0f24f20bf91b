/** What can be watched, declared once: the rule form, its bounds, the engine and the texts read this. */

/** Five, the worst first. */
export const severities = ['critical', 'major', 'minor', 'warning', 'info'] as const
export type Severity = (typeof severities)[number]

/**
 * `level`: a figure that lasts, alarmed beyond a threshold. `fault`: a trouble without a figure, which ends by itself.
 * `state`: something that is so until it is put right or accepted. `event`: something that happened; the alarm stays
 * until somebody has handled it.
 */
export type AlarmShape = 'level' | 'fault' | 'state' | 'event'
/** What "would have fired last week" is counted from; `none`: nothing is kept for it, and nothing is claimed. */
export type AlarmHistory = 'presence' | 'samples' | 'traffic' | 'none'

export type AlarmKindFacts = {
  readonly shape: AlarmShape
  readonly history: AlarmHistory
  /** Levels only: on which side of the threshold the trouble lies. */
  readonly direction?: 'above' | 'below'
  readonly unit?: 'minutes' | 'dBm' | 'MiB' | 'GiB' | 'load' | '%' | '°C' | 'times'
  readonly min?: number
  readonly max?: number
  /** What the form proposes. */
  readonly threshold?: number
  readonly recoverAt?: number
  /** The threshold is itself a time: no for-duration, no recovery threshold. */
  readonly timed?: boolean
  /** Counted within a window of minutes. */
  readonly windowed?: boolean
  /** What it is seen on; absent: a device. */
  readonly about?: 'task'
}

export const alarmKinds = {
  offline: {
    shape: 'level',
    history: 'presence',
    direction: 'above',
    unit: 'minutes',
    min: 1,
    max: 43_200,
    threshold: 5,
    timed: true,
  },
  signal: {
    shape: 'level',
    history: 'samples',
    direction: 'below',
    unit: 'dBm',
    min: -150,
    max: 0,
    threshold: -105,
    recoverAt: -100,
  },
  trafficDay: {
    shape: 'level',
    history: 'traffic',
    direction: 'above',
    unit: 'MiB',
    min: 1,
    max: 100_000_000,
    threshold: 1024,
  },
  trafficMonth: {
    shape: 'level',
    history: 'traffic',
    direction: 'above',
    unit: 'GiB',
    min: 0.1,
    max: 1_000_000,
    threshold: 20,
  },
  load: {
    shape: 'level',
    history: 'samples',
    direction: 'above',
    unit: 'load',
    min: 0.1,
    max: 1000,
    threshold: 4,
    recoverAt: 2,
  },
  memory: {
    shape: 'level',
    history: 'samples',
    direction: 'above',
    unit: '%',
    min: 1,
    max: 100,
    threshold: 90,
    recoverAt: 80,
  },
  temperature: {
    shape: 'level',
    history: 'samples',
    direction: 'above',
    unit: '°C',
    min: -50,
    max: 200,
    threshold: 75,
    recoverAt: 70,
  },
  reboots: {
    shape: 'level',
    history: 'none',
    direction: 'above',
    unit: 'times',
    min: 2,
    max: 20,
    threshold: 3,
    windowed: true,
  },
  simSwitched: { shape: 'event', history: 'none' },
  newAddress: { shape: 'event', history: 'presence' },
  configDrift: { shape: 'state', history: 'none' },
  printerError: { shape: 'fault', history: 'none' },
  /** [decisions/066] */
  rebootMissed: { shape: 'fault', history: 'none' },
  /** [decisions/058] */
  upgradePaused: { shape: 'fault', history: 'none', about: 'task' },
} as const satisfies Record<string, AlarmKindFacts>
export type AlarmKind = keyof typeof alarmKinds
export const alarmKindNames = Object.keys(alarmKinds) as [AlarmKind, ...AlarmKind[]]
export const factsOf = (kind: AlarmKind): AlarmKindFacts => alarmKinds[kind]

/** Is `value` beyond the threshold? At it counts: "above 90 %" begins at 90. */
export const isBeyond = (kind: AlarmKind, value: number, threshold: number) =>
  factsOf(kind).direction === 'below' ? value <= threshold : value >= threshold

/**
 * Is the recovery threshold on the right side? Above a low limit, below a high one, or the limit itself: otherwise
 * an alarm would begin and end with the same value.
 */
export const isRecoverySide = (kind: AlarmKind, threshold: number, recoverAt: number) =>
  factsOf(kind).direction === 'below' ? recoverAt >= threshold : recoverAt <= threshold

/** Kinds that somebody must close, because nothing measures their end. */
export const isEndedByHand = (kind: AlarmKind) =>
  factsOf(kind).shape === 'event' || factsOf(kind).shape === 'state'
