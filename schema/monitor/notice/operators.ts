/** How a rule about a variable compares: apart from what it means, since every page of the console knows alarms. */

/**
 * change: two good values within `withinS` differ by `low`; noData: no good value for `minutes`; bad: its quality;
 * formula: one over several variables of the template is not 0.
 */
export const operators = [
  'gt',
  'ge',
  'lt',
  'le',
  'eq',
  'ne',
  'between',
  'outside',
  'bitOn',
  'bitOff',
  'change',
  'noData',
  'bad',
  'formula',
] as const
export type Operator = (typeof operators)[number]
