/** Merges rollups of neighbouring time spans into the requested buckets. Pure; times in ms since 1970. */
import { grownBy, isGlitch, type Of, type Rollup } from './rollup.ts'

/** A bucket with a smaller known share is a gap. */
const KNOWN_SHARE = 0.5

export type Bucket = {
  avg: number | null
  min: number | null
  max: number | null
  last: number | null
  diff: number | null
  bad: number | null
}
type Open = Bucket & { integral: number; knownS: number }

function add(
  bucket: Open,
  { integral, knownS, min, max, last }: Pick<Rollup, 'integral' | 'knownS' | 'min' | 'max' | 'last'>,
): void {
  bucket.integral += integral
  bucket.knownS += knownS
  if (min !== null && (bucket.min === null || min < bucket.min)) bucket.min = min
  if (max !== null && (bucket.max === null || max > bucket.max)) bucket.max = max
  bucket.last = last ?? bucket.last
}

/** null: the sum is larger than a number can be. */
const finite = (value: number | null) => (value !== null && Number.isFinite(value) ? value : null)

/** A meter's increase across the edges of rollups. */
function followMeter(wrapAt: number | null) {
  /** The last value that is no glitch, and the last good one. */
  let [steady, before]: (number | null)[] = [null, null]
  /** Whether the last value of a rollup is a glitch shows with the next good one. */
  let open: { value: number; before: number | null; bucket: Open | undefined } | null = null

  function grow(value: number, bucket: Open | undefined, inner = 0): void {
    if (bucket)
      bucket.diff = (bucket.diff ?? 0) + inner + (steady == null ? 0 : grownBy(steady, value, wrapAt))
    steady = value
  }
  function settle(next: number | null): void {
    if (open && !isGlitch(open.before, open.value, next)) grow(open.value, open.bucket)
    open = null
  }
  return {
    settle,
    add({ first, last, good, steps }: Rollup, bucket: Open | undefined): void {
      if (first === null || last === null) return
      settle(first)
      if (good > 1) {
        // Summed while the variable was not a meter: no increase in between.
        if (!isGlitch(before ?? null, first, steps?.second ?? last)) grow(first, bucket)
        if (steps && steps.from !== null && steps.to !== null) {
          grow(steps.from, bucket, steps.grown)
          steady = steps.to
        }
        before = steps?.beforeLast ?? first
      }
      open = { value: last, before: before ?? null, bucket }
      before = last
    },
  }
}

/**
 * @param rollups ascending, each inside one bucket or before the first; those before give the value at the beginning
 * @param starts of the buckets, ascending
 * @param endMs where the last bucket ends, or the present if that is earlier: of a bucket that is not over, only what has
 * passed must be known
 */
export function mergeRollups(
  rollups: readonly Rollup[],
  { starts, endMs, holdMs, meter, wrapAt = null }: Of & { starts: readonly number[]; endMs: number },
): Bucket[] {
  const buckets: Open[] = starts.map(() => ({
    avg: null,
    min: null,
    max: null,
    last: null,
    diff: null,
    bad: null,
    integral: 0,
    knownS: 0,
  }))
  const endOf = (i: number) => Math.min(starts[i + 1] ?? endMs, endMs)
  /** The bucket of the time, or -1; times ascend. */
  let place = -1
  const placeOf = (ms: number) => {
    while (place + 1 < starts.length && (starts[place + 1] as number) <= ms) place++
    return place
  }

  function spread(value: number, lowMs: number, highMs: number): void {
    for (let i = Math.max(0, placeOf(lowMs)); i < starts.length && (starts[i] as number) < highMs; i++) {
      const stood = Math.min(highMs, endOf(i)) - Math.max(lowMs, starts[i] as number)
      const bucket = buckets[i] as Open
      if (stood <= 0) continue
      const knownS = stood / 1000
      add(bucket, { integral: value * knownS, knownS, min: value, max: value, last: value })
      bucket.bad ??= 0
    }
  }

  const followed = followMeter(wrapAt)
  let standing: { value: number; fromMs: number; untilMs: number } | null = null
  for (const one of rollups) {
    if (standing) spread(standing.value, standing.fromMs, Math.min(standing.untilMs, one.firstMs))
    const bucket = buckets[placeOf(one.startMs)]
    if (bucket) {
      add(bucket, one)
      bucket.bad = (bucket.bad ?? 0) + one.bad
    }
    if (meter) followed.add(one, bucket)
    const value = one.stands ? one.last : null
    // Its own time with this value is in its integral.
    standing = value === null ? null : { value, fromMs: one.endMs, untilMs: one.lastMs + holdMs }
  }
  if (standing) spread(standing.value, standing.fromMs, Math.min(standing.untilMs, endMs))
  followed.settle(null)
  return buckets.map(({ integral, knownS, ...bucket }, i) => {
    const passedS = (endOf(i) - (starts[i] as number)) / 1000
    const known = knownS > 0 && knownS >= KNOWN_SHARE * passedS - 1e-6
    return { ...bucket, diff: finite(bucket.diff), avg: known ? finite(integral / knownS) : null }
  })
}
