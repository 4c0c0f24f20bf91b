import { alarmKind } from '#schema/kit/alarm-kind'

/** A wrong clock makes TLS fail and stores the device's data under wrong times. */
export const clockSkew = alarmKind({
  name: 'clockSkew',
  place: 160,
  shape: 'level',
  history: 'none',
  direction: 'above',
  unit: 'minutes',
  min: 1,
  max: 1440,
  threshold: 5,
  recoverAt: 1,
})
