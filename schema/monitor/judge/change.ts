/** Whether a value has changed by a given amount within a given time. */

type Point = readonly [at: number, value: number]
export type ChangeWindow = { points: readonly Point[]; differedAt: number | null }
export const emptyWindow: ChangeWindow = { points: [], differedAt: null }

/**
 * Limit of stored points: on a long ramp every point matters; then every second one is dropped, which shortens the
 * window slightly.
 */
const POINTS_MAX = 64

/** Only points that no later point exceeds, upwards or downwards, can determine the maximum difference. */
function thinned(points: readonly Point[]): Point[] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const kept = points.toReversed().filter(([, value]) => {
    const counts = value < low || value > high
    low = Math.min(low, value)
    high = Math.max(high, value)
    return counts
  })
  return (kept.length > POINTS_MAX ? kept.filter((_, i) => i % 2 === 0) : kept).reverse()
}

/** @param withinMs null: only the sample before counts, however old it is */
export function changed(
  { points, differedAt }: ChangeWindow,
  at: number,
  value: number,
  by: number,
  withinMs: number | null,
): { window: ChangeWindow; differs: boolean } {
  const from = withinMs === null ? points.slice(-1) : points.filter(([then]) => at - then <= withinMs)
  const differs = from.some(([, then]) => Math.abs(value - then) >= by)
  // A reported change is the new baseline: otherwise one step would be reported until it leaves the window.
  const kept = differs ? [] : from
  return {
    differs,
    window: { points: thinned([...kept, [at, value]]), differedAt: differs ? at : differedAt },
  }
}
