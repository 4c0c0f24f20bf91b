/** Heavy calls of one user take turns, so that they do not delay those of others [decisions/190]. */

/** Of one user at the same time. */
export const TURNS = 2

export type Turns = {
  /** Resolves when it is this call's turn, in the order of calling; returns the function that ends the turn. */
  enter(userId: number): Promise<() => void>
}

/** Memory: one entry for each user who has a call running. */
export function openTurns(most = TURNS): Turns {
  const users = new Map<number, { running: number; waiting: (() => void)[] }>()
  return {
    async enter(userId) {
      const own = users.get(userId) ?? { running: 0, waiting: [] }
      users.set(userId, own)
      if (own.running < most) own.running++
      // The one that ends hands its turn over.
      else await new Promise<void>((begin) => own.waiting.push(begin))
      return () => {
        const next = own.waiting.shift()
        if (next) return next()
        own.running--
        if (own.running === 0) users.delete(userId)
      }
    },
  }
}
