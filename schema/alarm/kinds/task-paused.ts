import { alarmKind } from '#schema/kit/alarm-kind'

/** [decisions/058] */
export const taskPaused = alarmKind({
  name: 'taskPaused',
  place: 150,
  shape: 'fault',
  history: 'none',
  about: 'task',
})
