/**
 * Evaluates a rule's condition sample by sample. Only its changes matter: they are few, and carry the time of the
 * sample that caused them. How long it must hold is checked separately (duration.ts), because there may be no further
 * sample.
 */
import { hasValue, qualities } from '../fields.ts'
import { isOver, isTrue, type Limits } from '../notice/variable-condition.ts'
import { type ChangeWindow, changed, emptyWindow } from './change.ts'

export type JudgedRule = Limits & {
  /** For `change`: the time within which the values must differ by `low`. */
  withinS: number | null
}
/** `at` in ms; `value` is that of the form, scaled. `quality` is its code. */
export type Sample = { at: number; value: number | null; quality: number }

/** since: the time of the sample that changed it; null: nothing has been evaluated yet. */
export type Truth = { holds: boolean; since: number | null; window?: ChangeWindow }
export const unjudged: Truth = { holds: false, since: null }

function isGood({ quality }: Sample): boolean {
  const named = qualities[quality]
  return named !== undefined && hasValue(named)
}

function turned(truth: Truth, holds: boolean, at: number): Truth {
  return truth.since !== null && truth.holds === holds ? truth : { ...truth, holds, since: at }
}

/**
 * A change is an event: it is true from the sample that differs, and ends after the same time without another
 * difference.
 */
function judgeChange(rule: JudgedRule, truth: Truth, at: number, value: number): Truth {
  const withinMs = rule.withinS === null ? null : 1_000 * rule.withinS
  const { window, differs } = changed(truth.window ?? emptyWindow, at, value, rule.low ?? 0, withinMs)
  const quiet = window.differedAt === null || at - window.differedAt >= (withinMs ?? 0)
  return { ...turned(truth, differs || (truth.holds && !quiet), at), window }
}

/**
 * The result after a new sample; `since` is kept while the result does not change. Bad quality affects only the
 * operator about quality; a value out of range counts as a value.
 */
export function judged(rule: JudgedRule, truth: Truth, sample: Sample): Truth {
  const { at, value } = sample
  if (rule.operator === 'noData') return truth
  // Not by the value: a text has none.
  if (rule.operator === 'bad') return turned(truth, !isGood(sample), at)
  if (value === null || !isGood(sample)) return truth
  if (rule.operator === 'change') return judgeChange(rule, truth, at, value)
  return turned(truth, truth.holds ? !isOver(rule, value) : isTrue(rule, value), at)
}

const FRESH_MS = 120_000
/** Older than the newest one, buffered, or too old: it does not describe the current state. */
export function mayJudge(
  sample: Pick<Sample, 'at'> & { late?: boolean | undefined },
  newestAt: number | null,
  cycleMs: number,
  now: number,
): boolean {
  if (sample.late || (newestAt !== null && sample.at < newestAt)) return false
  return now - sample.at <= Math.max(2 * cycleMs, FRESH_MS)
}

/** Whether there was no good value for `minutes`. @param goodAt null: there never was one, so none is missing */
export const isSilent = (goodAt: number | null, minutes: number, now: number): boolean =>
  goodAt !== null && now - goodAt >= 60_000 * minutes
