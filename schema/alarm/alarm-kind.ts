/** What can be watched, gathered: each kind is declared in kinds/<name>.ts. */
import type { AlarmKindFacts } from '../kit/alarm-kind.ts'
import { alarmKinds } from './kinds.gen.ts'

/** Five, the worst first. */
export const severities = ['critical', 'major', 'minor', 'warning', 'info'] as const
export type Severity = (typeof severities)[number]

export type AlarmKind = keyof typeof alarmKinds
export const alarmKindNames = Object.keys(alarmKinds) as [AlarmKind, ...AlarmKind[]]
export const factsOf = (kind: AlarmKind): AlarmKindFacts => alarmKinds[kind]
/** The names of the kinds of which this holds. */
export const kindsWhere = (holds: (facts: AlarmKindFacts) => boolean): AlarmKind[] =>
  alarmKindNames.filter((kind) => holds(factsOf(kind)))

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
