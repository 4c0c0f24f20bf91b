import { load1 } from '#schema/device/figures/load1'
import { alarmKind } from '#schema/kit/alarm-kind'

/** How many processes wait or run; beyond the number of cores the device falls behind. Not a share of the processor: that is `cpu`. */
export const load = alarmKind({
  name: 'load',
  place: 60,
  shape: 'level',
  history: 'samples',
  figure: load1,
  direction: 'above',
  unit: 'load',
  min: 0.1,
  max: 1000,
  threshold: 4,
  recoverAt: 2,
})
