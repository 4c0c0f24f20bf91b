/**
 * Ends of sources. If a source's clock is slow, values sent after its end would be older than the end, and a value that
 * is sent only when it changes would be missing until the next change. So values that the source declares as current
 * get a time right after the end.
 */

/** Maximum number of terminals whose end is remembered. */
const ENDS_MAX = 20_000

export function openEnds() {
  /** By terminal, the time of its newest end or of what was moved behind it; in ms. */
  const ends = new Map<number, number>()
  return {
    ended: (terminalId: number, at: number): void => {
      if (ends.size >= ENDS_MAX) ends.clear()
      ends.set(terminalId, Math.max(at, ends.get(terminalId) ?? 0))
    },
    /** The times of the values of one message: a repeated value of the same variable gets a later time. */
    ofMessage: () => {
      const moved = new Map<number, { at: number; slots: Set<number> }>()
      return (terminalId: number, slot: number, at: number): number => {
        const endedAt = ends.get(terminalId)
        if (endedAt === undefined || at > endedAt) return at
        const known = moved.get(terminalId)
        if (known && !known.slots.has(slot)) {
          known.slots.add(slot)
          return known.at
        }
        moved.set(terminalId, { at: endedAt + 1, slots: new Set([slot]) })
        ends.set(terminalId, endedAt + 1)
        return endedAt + 1
      }
    },
  }
}
