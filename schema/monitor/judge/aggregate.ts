/**
 * Aggregates a variable over a time bucket. Samples reported on change are valid until the next one: their plain
 * average would give a second under load the same weight as an hour at rest.
 */

/** In s or ms, consistently. null: bad quality, which ends the previous value. */
export type TimedValue = readonly [at: number, value: number | null]

export type Aggregate = {
  count: number
  min: number | null
  max: number | null
  sum: number
  first: number | null
  last: number | null
  /** The sum of value × time, and the time with a value. */
  integral: number
  covered: number
}
export const emptyAggregate: Aggregate = {
  count: 0,
  min: null,
  max: null,
  sum: 0,
  first: null,
  last: null,
  integral: 0,
  covered: 0,
}

/**
 * @param before the last sample before the bucket; null: none, or a bad one
 * @param hold how long a value is valid without a following one: 2.5 cycles
 */
export function aggregate(
  [from, to]: readonly [from: number, to: number],
  before: TimedValue | null,
  samples: readonly TimedValue[],
  hold: number,
): Aggregate {
  const all = before ? [before, ...samples] : samples
  let { integral, covered } = emptyAggregate
  all.forEach(([at, value], i) => {
    if (value === null) return
    const next = all[i + 1]?.[0] ?? to
    const time = Math.min(next, to, at + hold) - Math.max(at, from)
    if (time <= 0) return
    integral += value * time
    covered += time
  })
  const values = samples.flatMap(([, value]) => value ?? [])
  return {
    count: values.length,
    min: values.length > 0 ? values.reduce((a, b) => Math.min(a, b)) : null,
    max: values.length > 0 ? values.reduce((a, b) => Math.max(a, b)) : null,
    sum: values.reduce((a, b) => a + b, 0),
    first: values[0] ?? null,
    last: values.at(-1) ?? null,
    integral,
    covered,
  }
}

/** Time-weighted mean; null if there was no valid value. */
export const timeAverage = ({ integral, covered }: Aggregate) => (covered > 0 ? integral / covered : null)
/** Mean of the samples. */
export const sampleAverage = ({ sum, count }: Aggregate) => (count > 0 ? sum / count : null)

/** Less than half covered is drawn as a gap. */
const GAP_SHARE = 0.5
export const isGap = ({ covered }: Aggregate, [from, to]: readonly [from: number, to: number]) =>
  covered < GAP_SHARE * (to - from)

const least = (one: number | null, other: number | null, pick: (...values: number[]) => number) =>
  one === null ? other : other === null ? one : pick(one, other)

/** Merges two buckets, the earlier one first. */
export const merged = (one: Aggregate, other: Aggregate): Aggregate => ({
  count: one.count + other.count,
  min: least(one.min, other.min, Math.min),
  max: least(one.max, other.max, Math.max),
  sum: one.sum + other.sum,
  first: one.first ?? other.first,
  last: other.last ?? one.last,
  integral: one.integral + other.integral,
  covered: one.covered + other.covered,
})
