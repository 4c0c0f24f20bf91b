import { alarmKind } from '#schema/kit/alarm-kind'

export const newAddress = alarmKind({
  name: 'newAddress',
  place: 110,
  shape: 'event',
  history: 'addresses',
  marked: true,
  tab: 'network',
})
