/**
 * The consumption counted by a meter. A drop is not accepted immediately: otherwise a single zero between two good
 * values would count the whole meter reading as consumption when it returns.
 */

export type Counter = {
  /** The last value that counts; null: none yet. */
  last: number | null
  /** A lower value that is not confirmed by the next sample yet. */
  held: number | null
  /** The state before a wrap, in case the old value returns and it was none. */
  wrapped: { last: number; added: number } | null
}
export const emptyCounter: Counter = { last: null, held: null, wrapped: null }

/** A wrap goes from near the end to near the beginning. */
const NEAR = 0.25

/**
 * The increase by this sample. Negative only to undo the increase of a wrap that turned out not to be one.
 *
 * @param wrapAt the value at which the counter wraps, scaled; null: its width is unknown
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
  // It stays low: a new meter, or one that was reset. Its reading has been counted since then.
  if (value >= held) return to({}, value, true)
  return { counter: { last: held, held: value, wrapped: null }, added: held, reset: true }
}

/** The increase over a series in order of time. */
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
