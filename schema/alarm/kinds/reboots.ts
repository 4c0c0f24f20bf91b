import { alarmKind } from '#schema/kit/alarm-kind'

export const reboots = alarmKind({
  name: 'reboots',
  place: 90,
  shape: 'level',
  history: 'none',
  direction: 'above',
  unit: 'times',
  min: 2,
  max: 20,
  threshold: 3,
  windowed: true,
  marked: true,
  tab: 'history',
})
