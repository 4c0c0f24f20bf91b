/**
 * What a meter has counted. A drop is not booked at once: one zero between two good values would book the whole meter as
 * consumption when it comes back.
 */

export type Counter = {
  /** The last value that counts; null: none yet. */
  last: number | null
  /** A lower value that waits for the next sample. */
  held: number | null
  /** Before a wrap: if the old value comes back, it was none. */
  wrapped: { last: number; added: number } | null
}
export const emptyCounter: Counter = { last: null, held: null, wrapped: null }

/** A wrap goes from near the end to near the beginning. */
const NEAR = 0.25

/**
 * What this sample adds. Negative only to take back what a wrap that was none had added.
 *
 * @param wrapAt the value at which the meter begins again, scaled; null: its width is unknown
 */
export function counted(
  counter: Counter,
  value: number | null,
  wrapAt: number | null = null,
): { counter: Counter; added: number; reset: boolean } {
  const { last, held, wrapped } = counter
  const to = (next: Partial<Counter>, added: number, reset = false) => ({
    counter: { last: value, held: null, wrapped: null, ...next },
    added,
    reset,
  })
  if (value === null) return { counter, added: 0, reset: false }
  if (last === null) return to({}, 0)
  if (wrapped && value >= wrapped.last) return to({}, value - wrapped.last - wrapped.added)
  if (value >= last) return to({}, value - last)
  if (wrapAt !== null && last >= wrapAt * (1 - NEAR) && value <= wrapAt * NEAR) {
    const added = wrapAt - last + value
    return to({ wrapped: { last, added } }, added)
  }
  if (held === null) return { counter: { last, held: value, wrapped: null }, added: 0, reset: false }
  // It stays low: a new meter, or one that was set back. What it shows has been counted since.
  if (value >= held) return to({}, value, true)
  return { counter: { last: held, held: value, wrapped: null }, added: held, reset: true }
}

/** Over a series in the order of time. */
export function difference(values: readonly (number | null)[], wrapAt: number | null = null): number {
  let counter = emptyCounter
  let sum = 0
  for (const value of values) {
    const next = counted(counter, value, wrapAt)
    counter = next.counter
    sum += next.added
  }
  return sum
}
