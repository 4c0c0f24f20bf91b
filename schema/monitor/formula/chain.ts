/** Variables computed from computed variables: their order of evaluation, and the maximum depth. */

export const CHAIN_MAX = 5

export type Chained = { order: string[] } | { cycle: string[] } | { tooLong: string[] }

/** @param inputs of each computed variable; names that are not among them are measured */
export function chainOf(inputs: ReadonlyMap<string, readonly string[]>): Chained {
  const depths = new Map<string, number>()
  const order: string[] = []
  /** Returns the names in a cycle, beginning with the one that closes it; null if there is none. */
  function visit(name: string, above: readonly string[]): Chained | null {
    if (above.includes(name)) return { cycle: [...above.slice(above.indexOf(name)), name] }
    const needed = inputs.get(name)
    if (!needed || depths.has(name)) return null
    for (const input of needed) {
      const fault = visit(input, [...above, name])
      if (fault) return fault
    }
    const depth = 1 + Math.max(0, ...needed.map((input) => depths.get(input) ?? 0))
    if (depth > CHAIN_MAX) return { tooLong: [...above, name] }
    depths.set(name, depth)
    order.push(name)
    return null
  }
  for (const name of inputs.keys()) {
    const fault = visit(name, [])
    if (fault) return fault
  }
  return { order }
}
