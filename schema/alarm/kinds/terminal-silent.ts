import { alarmKind } from '#schema/kit/alarm-kind'

/** The slave of a terminal does not respond: one alarm, instead of one for each of its variables. */
export const terminalSilent = alarmKind({
  name: 'terminalSilent',
  place: 125,
  shape: 'fault',
  history: 'none',
})
