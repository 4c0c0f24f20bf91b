import { alarmKind } from '#schema/kit/alarm-kind'

/** [decisions/066] */
export const rebootMissed = alarmKind({
  name: 'rebootMissed',
  place: 140,
  shape: 'fault',
  history: 'none',
  tab: 'configuration',
})
