import { guardStopsAt, isGuarded, leastFailures, RAMP_START } from '#schema/task/task-guard'
import { waveSize } from '#schema/task/task-wave'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { sentences } from '../kit/words/sentences.ts'
import type { Draft } from './upgrade-draft.ts'

type Guarded = Pick<Draft, 'maxFailures' | 'maxFailurePercent' | 'maxInFlight' | 'waves'>

/** What the limits mean for a task of `total` devices, in a few sentences. */
export function guardText(draft: Guarded, total: number): string {
  if (!isGuarded(draft)) return t('upgrade:guard.off')
  // Not counted yet, or none is chosen.
  if (total === 0) return ''
  const at = guardStopsAt(draft, total)
  if (at === null) return t('upgrade:guard.never', { count: total, total: number(total) })
  const [first] = draft.waves
  const size = first === undefined ? null : waveSize(first, total)
  const inFirst = size === null ? null : guardStopsAt(draft, size)
  return sentences([
    at === 1
      ? t('upgrade:guard.stopsAtFirst', { count: total, total: number(total) })
      : t('upgrade:guard.stopsAt', { total: number(total), at: number(at) }),
    // Where the first failure of all pauses it, that of the first wave does, too.
    ...(size === null || inFirst === null || at === 1
      ? []
      : inFirst === 1
        ? [t('upgrade:guard.firstWaveAtFirst', { size: number(size) })]
        : [t('upgrade:guard.firstWave', { size: number(size), at: number(inFirst) })]),
    ...(draft.maxFailurePercent === null ? [] : [t('upgrade:guard.judged', { min: leastFailures(total) })]),
    ...(Math.min(total, draft.maxInFlight) > RAMP_START
      ? [t('upgrade:guard.ramp', { start: RAMP_START })]
      : []),
  ])
}
