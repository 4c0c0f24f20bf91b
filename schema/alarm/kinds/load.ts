import { load1 } from '#schema/device/figures/load1'
import { alarmKind } from '#schema/kit/alarm-kind'

/**
 * Number of processes that run or wait; above the number of cores the device falls behind. Not CPU usage: that is
 * `cpu`.
 */
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
