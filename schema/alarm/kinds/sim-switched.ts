import { alarmKind } from '#schema/kit/alarm-kind'

export const simSwitched = alarmKind({
  name: 'simSwitched',
  place: 100,
  shape: 'event',
  history: 'none',
  marked: true,
  tab: 'network',
})
