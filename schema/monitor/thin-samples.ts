/**
 * Fewer samples that draw the same line: of each column of pixels the first, the lowest, the highest and the last one
 * remain, so no peak is lost, and the first bad one, so a gap stays a gap. Pure.
 */

/** `quality`: 0 is good. */
export type Point = { readonly atMs: number; readonly value: number | null; readonly quality: number }

/** Points that remain of a column at most. */
export const PER_COLUMN = 5

export function thinned(points: readonly Point[], columns: number): readonly Point[] {
  const first = points[0]
  const last = points.at(-1)
  if (!first || !last || points.length <= columns * PER_COLUMN) return points
  const widthMs = (last.atMs - first.atMs + 1) / columns
  const kept: Point[] = []
  for (let at = 0; at < points.length; ) {
    const end = first.atMs + (Math.floor(((points[at] as Point).atMs - first.atMs) / widthMs) + 1) * widthMs
    let [to, low, high, bad] = [at, -1, -1, -1]
    for (; to < points.length && ((points[to] as Point).atMs < end || to === at); to++) {
      const { value } = points[to] as Point
      if (value === null) bad = bad < 0 ? to : bad
      else {
        if (low < 0 || value < ((points[low] as Point).value as number)) low = to
        if (high < 0 || value > ((points[high] as Point).value as number)) high = to
      }
    }
    const places = new Set([at, low, high, bad, to - 1].filter((place) => place >= 0))
    for (const place of [...places].toSorted((a, b) => a - b)) kept.push(points[place] as Point)
    at = to
  }
  return kept
}
