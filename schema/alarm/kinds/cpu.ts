import { cpuPercent } from '#schema/device/figures/cpu-percent'
import { alarmKind } from '#schema/kit/alarm-kind'

export const cpu = alarmKind({
  name: 'cpu',
  place: 50,
  shape: 'level',
  history: 'samples',
  figure: cpuPercent,
  direction: 'above',
  unit: '%',
  min: 1,
  max: 100,
  threshold: 90,
  recoverAt: 75,
})
