import { t } from '../kit/i18n.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { useLiveValues } from './live-values.ts'

/** Keeps the values of the page up to date, and shows how. */
export function LiveMark() {
  const live = useLiveValues()
  return (
    <StatusChip
      tone={live ? 'online' : 'offline'}
      label={t(live ? 'variable:live.pushed' : 'variable:live.polled')}
      hint={t(live ? 'variable:live.pushedHint' : 'variable:live.polledHint')}
    />
  )
}
