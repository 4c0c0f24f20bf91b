/** The zoomed part of a report: bucket indexes in memory, their times in the URL. */

/** The visible buckets, both ends included; null: all. */
export type Zoom = readonly [number, number] | null
export const zoomed = <T>(values: readonly T[], zoom: Zoom): readonly T[] =>
  zoom ? values.slice(zoom[0], zoom[1] + 1) : values

const BETWEEN = '~'

export const zoomText = (at: readonly string[], zoom: Zoom): string | null =>
  zoom ? `${at[zoom[0]]}${BETWEEN}${at[zoom[1]]}` : null

/** null: all, or if the response no longer contains these times. */
export function zoomOf(at: readonly string[], text: string): Zoom {
  const [first = '', last = ''] = text.split(BETWEEN)
  const [from, to] = [at.indexOf(first), at.indexOf(last)]
  return from < 0 || to <= from ? null : [from, to]
}
