/** Computes figures from sums: the same for pages and mailed tables. */
import type { BandName } from '../kit/figure.ts'

/** Sums of one bucket, a group or everything; null: nothing was counted. */
export type Figures = {
  knownS: number | null
  onlineS: number | null
  rxBytes: number | null
  txBytes: number | null
  signalSum: number | null
  signalDevices: number | null
  signalMin: number | null
  signalMax: number | null
} & Record<BandName, number | null>

/** Rounded to this number of decimals. */
export const rounded = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits

const share = (part: number | null, whole: number | null, digits: number) =>
  part === null || !whole ? null : rounded((part / whole) * 100, digits)

export const onlinePercent = (of: Pick<Figures, 'knownS' | 'onlineS'>) => share(of.onlineS, of.knownS, 2)
/**
 * Of one bucket of a chart. Also null (a gap) while the platform was down: nobody was online, and for most of the time it is unknown who would
 * have been. The few devices that had been offline before would make it 0 % [decisions/043].
 * @param seconds how much of the bucket has passed
 */
export const bucketPercent = (
  of: Pick<Figures, 'knownS' | 'onlineS'> & { devices: number | null },
  seconds: number,
) => (of.onlineS === 0 && (of.knownS ?? 0) < ((of.devices ?? 0) * seconds) / 2 ? null : onlinePercent(of))
export const offlineSeconds = (of: Pick<Figures, 'knownS' | 'onlineS'>) =>
  Math.max(0, (of.knownS ?? 0) - (of.onlineS ?? 0))
export const averageDbm = (sum: number | null, count: number | null) =>
  sum === null || !count ? null : rounded(sum / count, 1)
/** One sample, rounded to the shown precision. */
export const dbm = (value: number | null) => (value === null ? null : rounded(value, 1))
export const bandPercent = (of: Figures, band: BandName) => share(of[band], of.signalDevices, 1)

const added = (values: readonly (number | null)[]) => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

/** The total of all rows. */
export function totalOf(rows: readonly Figures[]): Figures {
  const sum = (name: keyof Figures) => added(rows.map((row) => row[name]))
  const known = (name: keyof Figures) => rows.map((row) => row[name]).filter((value) => value !== null)
  return {
    knownS: sum('knownS'),
    onlineS: sum('onlineS'),
    rxBytes: sum('rxBytes'),
    txBytes: sum('txBytes'),
    signalSum: sum('signalSum'),
    signalDevices: sum('signalDevices'),
    signalMin: known('signalMin').length > 0 ? Math.min(...known('signalMin')) : null,
    signalMax: known('signalMax').length > 0 ? Math.max(...known('signalMax')) : null,
    excellent: sum('excellent'),
    good: sum('good'),
    fair: sum('fair'),
    poor: sum('poor'),
  }
}

/** A period with less of this share of the other's buckets says nothing about how sums changed. */
const COMPARABLE = 0.9
const bucketsKnown = (rows: readonly Figures[]) =>
  rows.filter(({ knownS, rxBytes, txBytes }) => (knownS ?? 0) > 0 || rxBytes !== null || txBytes !== null)
    .length

/** Whether sums of the period before can be compared with those of this one: before it was set up nothing is known. */
export const isComparable = (before: readonly Figures[], now: readonly Figures[]): boolean =>
  bucketsKnown(before) >= COMPARABLE * bucketsKnown(now)
