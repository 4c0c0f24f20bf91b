/** The formats in which foreign sources send values; one adapter each (schema/monitor/south). */
export const southKinds = [
  'mapping',
  'neuron',
  'thingsboard',
  'sparkplugB',
  'teltonika',
  'kingPigeon',
  'collectd',
] as const
export type SouthKind = (typeof southKinds)[number]

/** Why a message was rejected. `topic`: not matched by the filters of its account. */
export const southFaults = ['unreadable', 'unknownMetric', 'tooMuch', 'topic', 'tooOld'] as const
export type SouthFault = (typeof southFaults)[number]

/** User names of accounts: `.` is in no serial number, so no device has such a name. */
export const SOUTH_USER = /^south\.[a-z2-7]{12}$/

export const FILTERS_MAX = 10
export const SOURCE_MAX = 200
/** Names that are listed as unmapped, of one account. */
export const UNMAPPED_MAX = 300

/**
 * Topics are filters of one account and are matched for no other. Topics of devices begin with `v1/`; only the adapter
 * of a gateway whose topics cannot be configured declares such ones itself.
 */
export const isSouthFilter = (filter: string): boolean => {
  const levels = filter.split('/')
  return (
    filter !== '' &&
    filter.length <= 200 &&
    levels.length <= 8 &&
    !filter.startsWith('$') &&
    !filter.startsWith('v1/') &&
    // A filter with only wildcards does not identify the source.
    levels.some((level) => level !== '' && level !== '+' && level !== '#') &&
    levels.every(
      (level, n) => level === '+' || (level === '#' && n === levels.length - 1) || !/[+#\0]/.test(level),
    )
  )
}
