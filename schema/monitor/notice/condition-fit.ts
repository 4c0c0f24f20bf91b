/** Which conditions suit a variable. */
import type { DataType, IoController, ReportType } from '../fields.ts'
import { rawBounds } from '../modbus/shape.ts'
import { HEARTBEAT_MS } from '../plan/report.ts'
import { hasPart, type Operator } from './variable-condition.ts'

/** Gateways repeat an unchanged value of `change` once an hour; others come each cycle. */
export const HEARTBEAT_S = HEARTBEAT_MS / 1_000
/** The shortest time without a value that means something [modbus.md §9]. */
export const silentMinutesMin = (of: { reportType: 'change' | 'cycle' | 'both'; cycleS: number }): number =>
  Math.ceil((2.5 * (of.reportType === 'change' ? Math.max(HEARTBEAT_S, of.cycleS) : of.cycleS)) / 60)

/** What decides which conditions suit a variable. */
export type Watched = {
  ioController: IoController
  dataType: DataType
  length: number | null
  reportType: ReportType
  cycleS: number
}

/** Up to here a stored number is exact in each of its bits. */
const BITS_MAX = 53

/** 0: not an integer. A computed variable may be one. */
function bitsOf({ ioController, dataType, length }: Watched): number {
  if (ioController === 'formula') return BITS_MAX
  const bounds = rawBounds({ type: dataType, length: length ?? undefined })
  if (!bounds) return 0
  const [low, high] = bounds
  return Math.min(high.toString(2).length + (low < 0n ? 1 : 0), BITS_MAX)
}

export type Unsuited = { reason: 'number' } | { reason: 'bit' | 'silence'; n: number }

/**
 * Why the condition can never be fulfilled by this variable, or always is. `bit`: n is the highest that it has, -1 is
 * none; `silence`: n is the shortest time in minutes. null: it suits.
 */
export function unsuited(
  { operator, bit, minutes }: { operator: Operator; bit: number | null; minutes: number | null },
  of: Watched,
): Unsuited | null {
  // Texts have no order: their silence and their quality can be watched.
  if (of.dataType === 'text' && operator !== 'noData' && operator !== 'bad') return { reason: 'number' }
  const highest = bitsOf(of) - 1
  if (hasPart(operator, 'bit') && (bit ?? 0) > highest) return { reason: 'bit', n: highest }
  const least = silentMinutesMin(of)
  return hasPart(operator, 'minutes') && (minutes ?? 0) < least ? { reason: 'silence', n: least } : null
}
