import { flashUsedPercent } from '#schema/device/figures/flash-used-percent'
import { alarmKind } from '#schema/kit/alarm-kind'

export const flash = alarmKind({
  name: 'flash',
  place: 75,
  shape: 'level',
  history: 'samples',
  figure: flashUsedPercent,
  direction: 'above',
  unit: '%',
  min: 1,
  max: 100,
  threshold: 90,
  recoverAt: 85,
})
