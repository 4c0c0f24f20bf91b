import { alarmKind } from '#schema/kit/alarm-kind'

export const configDrift = alarmKind({
  name: 'configDrift',
  place: 120,
  shape: 'state',
  history: 'none',
  marked: true,
  tab: 'configuration',
})
