/**
 * What a variable was during a bucket of time. Samples on change stand for all the time until the next one: their plain
 * average would count a second of load as much as an hour of rest.
 */

/** In s or ms, alike everywhere. null: bad quality, which ends what stood before. */
export type TimedValue = readonly [at: number, value: number | null]

export type Aggregate = {
  count: number
  min: number | null
  max: number | null
  sum: number
  first: number | null
  last: number | null
  /** Of value × time, and the time in which there was a value. */
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
 * @param hold how long a value stands for what comes after it: 2.5 cycles
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

/** By time; null: no value stood. */
export const timeAverage = ({ integral, covered }: Aggregate) => (covered > 0 ? integral / covered : null)
/** By sample. */
export const sampleAverage = ({ sum, count }: Aggregate) => (count > 0 ? sum / count : null)

/** Less than half covered is drawn as a gap. */
const GAP_SHARE = 0.5
export const isGap = ({ covered }: Aggregate, [from, to]: readonly [from: number, to: number]) =>
  covered < GAP_SHARE * (to - from)

const least = (one: number | null, other: number | null, pick: (...values: number[]) => number) =>
  one === null ? other : other === null ? one : pick(one, other)

/** Of two buckets, the earlier one first. */
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
