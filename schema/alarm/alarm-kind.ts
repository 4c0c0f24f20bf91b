/** The gathered alarm kinds; each is declared in kinds/<name>.ts. */
import type { AlarmKindFacts } from '../kit/alarm-kind.ts'
import { alarmKinds } from './kinds.gen.ts'

/** Five, the worst first. */
export const severities = ['critical', 'major', 'minor', 'warning', 'info'] as const
export type Severity = (typeof severities)[number]

export type AlarmKind = keyof typeof alarmKinds
export const alarmKindNames = Object.keys(alarmKinds) as [AlarmKind, ...AlarmKind[]]
export const factsOf = (kind: AlarmKind): AlarmKindFacts => alarmKinds[kind]
/** The names of the kinds for which this is true. */
export const kindsWhere = (holds: (facts: AlarmKindFacts) => boolean): AlarmKind[] =>
  alarmKindNames.filter((kind) => holds(factsOf(kind)))

/** The kinds of rules about devices and tasks; rules about variables have calls of their own. */
export type DeviceAlarmKind = {
  [K in AlarmKind]: (typeof alarmKinds)[K] extends { about: 'variable' } ? never : K
}[AlarmKind]
export const isDeviceKind = (kind: AlarmKind): kind is DeviceAlarmKind => factsOf(kind).about !== 'variable'
export const deviceKindNames = alarmKindNames.filter(isDeviceKind) as [DeviceAlarmKind, ...DeviceAlarmKind[]]

/** Whether `value` is beyond the threshold, inclusive: "above 90 %" begins at 90. */
export const isBeyond = (kind: AlarmKind, value: number, threshold: number) =>
  factsOf(kind).direction === 'below' ? value <= threshold : value >= threshold

/**
 * Whether the recovery threshold is on the right side: below an upper limit, above a lower one, or equal to it.
 * Otherwise an alarm would start and end with the same value.
 */
export const isRecoverySide = (kind: AlarmKind, threshold: number, recoverAt: number) =>
  factsOf(kind).direction === 'below' ? recoverAt >= threshold : recoverAt <= threshold

/** Kinds that a user must close, because their end cannot be measured. */
export const isEndedByHand = (kind: AlarmKind) =>
  factsOf(kind).shape === 'event' || factsOf(kind).shape === 'state'
