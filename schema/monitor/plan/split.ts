/**
 * How a gateway handles a request that its slave refuses with exception 2 or 3, because some addresses do not exist: it
 * is split until all readable values are read, and the split is remembered until the plan changes.
 */
import { registersOf } from '../modbus/shape.ts'
import type { PlanTerminal } from '../wire.ts'
import { type Covering, type Span, withoutHoles } from './coalesce.ts'

/** After this time a value that was refused alone is asked for again: equipment is extended and updated. */
export const BAD_ADDRESS_RETRY_MS = 600_000

/** One value of a request: which variable of the terminal it is, and its position. */
export type PlannedValue = Span & { variable: number }
/** A request as it is really sent: one of the plan's, or a part of it. */
export type Piece = Covering<PlannedValue>

/** @param read index of the request in the plan */
export function pieceOf(terminal: Pick<PlanTerminal, 'reads' | 'vars'>, read: number): Piece | null {
  const planned = terminal.reads[read]
  if (!planned) return null
  const bits = planned.fn <= 2
  const items = terminal.vars.flatMap((variable, index): PlannedValue[] => {
    if (variable.read !== read) return []
    const width = bits ? 1 : registersOf(variable)
    const power = variable.powerAt ?? variable.at
    const from = Math.min(variable.at, power)
    const to = Math.max(variable.at + width, power + 1)
    return [{ variable: index, address: planned.address + from, count: to - from }]
  })
  return { address: planned.address, count: planned.count, items }
}

/**
 * First at the gaps; without gaps in two halves, until a single value remains. null: it cannot be divided further, so its
 * address is bad (`BAD_ADDRESS_RETRY_MS`).
 */
export function splitPiece(piece: Piece): Piece[] | null {
  const parts = withoutHoles(piece.items)
  const [only] = parts
  if (parts.length > 1) return parts
  // Holes at an end are left out as well.
  if (only && only.count < piece.count) return [only]
  const groups = Map.groupBy(piece.items, ({ address, count }) => `${address} ${count}`)
  if (groups.size < 2) return null
  const items = piece.items.toSorted((one, other) => one.address - other.address || one.count - other.count)
  const middle = Math.ceil(items.length / 2)
  return [items.slice(0, middle), items.slice(middle)].flatMap(withoutHoles)
}
