import { alarmKind } from '#schema/kit/alarm-kind'

export const offline = alarmKind({
  name: 'offline',
  place: 10,
  shape: 'level',
  history: 'presence',
  direction: 'above',
  unit: 'minutes',
  min: 1,
  max: 43_200,
  threshold: 5,
  timed: true,
  tab: 'history',
})
