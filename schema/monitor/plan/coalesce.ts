/**
 * Combines requests: neighbouring values are read together, including the registers between them. A value is never
 * split over two requests, because its halves would be from different times.
 */

/** Registers, or bits, of one value. */
export type Span = { address: number; count: number }
export type ReadLimits = {
  /** Registers that may be read along between two values; 0 for slaves that refuse addresses without a value. */
  maxGap: number
  /** Of one request. */
  maxRegisters: number
}

export type Covering<S extends Span> = Span & { items: S[] }

/** Requests in the order of addresses, each with its values. A value wider than the limit has a request of its own. */
export function coalesce<S extends Span>(
  spans: readonly S[],
  { maxGap, maxRegisters }: ReadLimits,
): Covering<S>[] {
  const sorted = spans.toSorted((one, other) => one.address - other.address || one.count - other.count)
  const reads: Covering<S>[] = []
  for (const item of sorted) {
    const last = reads.at(-1)
    const end = item.address + item.count
    const lastEnd = last ? last.address + last.count : 0
    if (last && item.address - lastEnd <= maxGap && Math.max(end, lastEnd) - last.address <= maxRegisters) {
      last.items.push(item)
      last.count = Math.max(end, lastEnd) - last.address
    } else {
      reads.push({ address: item.address, count: item.count, items: [item] })
    }
  }
  return reads
}

/** The values of a request, without the holes between them. */
export const withoutHoles = <S extends Span>(items: readonly S[]): Covering<S>[] =>
  coalesce(items, { maxGap: 0, maxRegisters: Number.POSITIVE_INFINITY })
