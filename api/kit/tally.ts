/** Something that may only be used up to a bound: by all together, and by each address. */

export type Tally = {
  /** False: nothing was taken, because it would pass a bound. `by` undefined: counted among all only. */
  take(by: string | undefined, amount: number): boolean
  /** Takes it whatever the bounds say: it is in use already. */
  add(by: string | undefined, amount: number): void
  give(by: string | undefined, amount: number): void
  readonly used: number
}

/** Memory: one entry for each address that uses some at this moment. */
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
