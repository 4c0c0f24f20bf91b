import { alarmKind } from '#schema/kit/alarm-kind'

export const trafficDay = alarmKind({
  name: 'trafficDay',
  place: 30,
  shape: 'level',
  history: 'traffic',
  direction: 'above',
  unit: 'MiB',
  min: 1,
  max: 100_000_000,
  threshold: 1024,
  tab: 'network',
})
