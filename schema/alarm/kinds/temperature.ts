import { temperatureCelsius } from '#schema/device/figures/temperature-celsius'
import { alarmKind } from '#schema/kit/alarm-kind'

export const temperature = alarmKind({
  name: 'temperature',
  place: 80,
  shape: 'level',
  history: 'samples',
  figure: temperatureCelsius,
  direction: 'above',
  unit: '°C',
  min: -50,
  max: 200,
  threshold: 75,
  recoverAt: 70,
})
