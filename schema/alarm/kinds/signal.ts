import { signalDbm } from '#schema/device/figures/signal-dbm'
import { alarmKind } from '#schema/kit/alarm-kind'

export const signal = alarmKind({
  name: 'signal',
  place: 20,
  shape: 'level',
  history: 'samples',
  figure: signalDbm,
  direction: 'below',
  unit: 'dBm',
  min: -150,
  max: 0,
  threshold: -105,
  recoverAt: -100,
  tab: 'network',
})
