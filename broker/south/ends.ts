/**
 * Ends of sources. A clock that is behind would make what a source says after its end older than the end: a value that is sent
 * only when it changes would be missing until then. So what it says to be so now gets a time right after the end.
 */

/** Terminals whose end is remembered. */
const ENDS_MAX = 20_000

export function openEnds() {
  /** By terminal, the time of its newest end or of what was moved behind it; in ms. */
  const ends = new Map<number, number>()
  return {
    ended: (terminalId: number, at: number): void => {
      if (ends.size >= ENDS_MAX) ends.clear()
      ends.set(terminalId, Math.max(at, ends.get(terminalId) ?? 0))
    },
    /** The times of the values of one message: one that comes again for the same variable is later. */
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
