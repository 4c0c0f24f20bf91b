import { alarmKind } from '#schema/kit/alarm-kind'

export const printerError = alarmKind({
  name: 'printerError',
  place: 130,
  shape: 'fault',
  history: 'none',
  tab: 'services',
})
