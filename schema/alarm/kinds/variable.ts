import { alarmKind } from '#schema/kit/alarm-kind'

/** A variable of a terminal: the condition is in `alarm_conditions`; its rules have their own page (menu 218). */
export const variable = alarmKind({
  name: 'variable',
  place: 200,
  shape: 'fault',
  history: 'none',
  about: 'variable',
})
