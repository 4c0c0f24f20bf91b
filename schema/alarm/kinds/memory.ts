import { memoryUsedPercent } from '#schema/device/figures/memory-used-percent'
import { alarmKind } from '#schema/kit/alarm-kind'

export const memory = alarmKind({
  name: 'memory',
  place: 70,
  shape: 'level',
  history: 'samples',
  figure: memoryUsedPercent,
  direction: 'above',
  unit: '%',
  min: 1,
  max: 100,
  threshold: 90,
  recoverAt: 80,
})
