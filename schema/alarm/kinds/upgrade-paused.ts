import { alarmKind } from '#schema/kit/alarm-kind'

/** [decisions/058] */
export const upgradePaused = alarmKind({
  name: 'upgradePaused',
  place: 150,
  shape: 'fault',
  history: 'none',
  about: 'task',
})
