/**
 * Whether what a rule watches holds, sample by sample. Only changes of that truth matter: they are few, and carry the time
 * of the sample that caused them. How long it must hold is another matter (duration.ts), since nothing more may come.
 */
import { hasValue, qualities } from '../fields.ts'
import { isOver, isTrue, type Limits } from '../variable-condition.ts'
import { type ChangeWindow, changed, emptyWindow } from './change.ts'

export type JudgedRule = Limits & {
  /** Of `change`: the time in which the values must differ by `low`. */
  withinS: number | null
}
/** `at` in ms; `value` is that of the form, scaled. `quality` is its code. */
export type Sample = { at: number; value: number | null; quality: number }

/** since: the sample with which it began to hold or to hold no more; null: nothing has been judged yet. */
export type Truth = { holds: boolean; since: number | null; window?: ChangeWindow }
export const unjudged: Truth = { holds: false, since: null }

function goodValue({ value, quality }: Sample): number | null {
  const named = qualities[quality]
  return named !== undefined && hasValue(named) ? value : null
}

function turned(truth: Truth, holds: boolean, at: number): Truth {
  return truth.since !== null && truth.holds === holds ? truth : { ...truth, holds, since: at }
}

/** A change is an event: it holds from the sample that differs, and ends when nothing has differed for as long. */
function judgeChange(rule: JudgedRule, truth: Truth, at: number, value: number): Truth {
  const withinMs = rule.withinS === null ? null : 1_000 * rule.withinS
  const { window, differs } = changed(truth.window ?? emptyWindow, at, value, rule.low ?? 0, withinMs)
  const quiet = window.differedAt === null || at - window.differedAt >= (withinMs ?? 0)
  return { ...turned(truth, differs || (truth.holds && !quiet), at), window }
}

/**
 * The truth after a fresh sample; its `since` stays while it does not change. Bad quality neither starts nor ends anything
 * but the operator about it; a value out of range is a value.
 */
export function judged(rule: JudgedRule, truth: Truth, sample: Sample): Truth {
  const { at } = sample
  const value = goodValue(sample)
  if (rule.operator === 'noData') return truth
  if (rule.operator === 'bad') return turned(truth, value === null, at)
  if (value === null) return truth
  if (rule.operator === 'change') return judgeChange(rule, truth, at, value)
  return turned(truth, truth.holds ? !isOver(rule, value) : isTrue(rule, value), at)
}

/** An event of change that has been quiet ends without a further sample. */
export const quietAt = (rule: JudgedRule, { holds, window }: Truth): number | null =>
  rule.operator === 'change' && holds && window?.differedAt != null
    ? window.differedAt + 1_000 * (rule.withinS ?? 0)
    : null

const FRESH_MS = 120_000
/** Older than the newest, buffered or too old: the present is no longer what it says. */
export function mayJudge(
  sample: Pick<Sample, 'at'> & { late?: boolean | undefined },
  newestAt: number | null,
  cycleMs: number,
  now: number,
): boolean {
  if (sample.late || (newestAt !== null && sample.at < newestAt)) return false
  return now - sample.at <= Math.max(2 * cycleMs, FRESH_MS)
}

/** No good value for `minutes`. @param goodAt null: there has never been one, so that nothing is missing */
export const isSilent = (goodAt: number | null, minutes: number, now: number): boolean =>
  goodAt !== null && now - goodAt >= 60_000 * minutes
