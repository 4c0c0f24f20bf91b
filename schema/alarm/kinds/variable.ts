import { alarmKind } from '#schema/kit/alarm-kind'

/** A variable of a terminal: what is watched stands in `alarm_conditions`; its rules have a page of their own (menu 218). */
export const variable = alarmKind({
  name: 'variable',
  place: 200,
  shape: 'fault',
  history: 'none',
  about: 'variable',
})
