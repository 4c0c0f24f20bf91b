/** A resource with a total limit and a limit per address. */

export type Tally = {
  /** False: nothing was taken, because a limit would be exceeded. `by` undefined: only the total is counted. */
  take(by: string | undefined, amount: number): boolean
  /** Takes it regardless of limits, because it is in use already. */
  add(by: string | undefined, amount: number): void
  give(by: string | undefined, amount: number): void
  readonly used: number
}

/** Memory: one entry for each address that currently uses some. */
export function openTally(bounds: { all: number; each: number }): Tally {
  const users = new Map<string, number>()
  let used = 0
  const add = (by: string | undefined, amount: number) => {
    used += amount
    if (by === undefined) return
    const left = (users.get(by) ?? 0) + amount
    if (left > 0) users.set(by, left)
    else users.delete(by)
  }
  return {
    add,
    take(by, amount) {
      const own = by === undefined ? 0 : (users.get(by) ?? 0)
      if (used + amount > bounds.all || own + amount > bounds.each) return false
      add(by, amount)
      return true
    },
    give: (by, amount) => add(by, -amount),
    get used() {
      return used
    },
  }
}
