import { alarmKind } from '#schema/kit/alarm-kind'

export const trafficMonth = alarmKind({
  name: 'trafficMonth',
  place: 40,
  shape: 'level',
  history: 'traffic',
  direction: 'above',
  unit: 'GiB',
  min: 0.1,
  max: 1_000_000,
  threshold: 20,
  tab: 'network',
})
