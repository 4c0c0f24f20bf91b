/**
 * How long requests take on a serial line, and whether a plan fits its bus. An overloaded line skips cycles, without
 * any visible reason.
 */

export type SerialLine = { baud: number; bitsPerCharacter: number }
export type BusPace = {
  /** null: no serial line (Modbus TCP). */
  line: SerialLine | null
  /** Until a slave begins to answer. */
  latencyMs: number
  pauseMs: number
}

export const LATENCY_MS = 20
/** Round trip on a local network. */
export const TCP_LATENCY_MS = 10

/** A start bit, the data, a parity bit or none, the stop bits. */
export const bitsPerCharacter = (serial: { dataBits: number; parity: string; stopBits: number }): number =>
  1 + serial.dataBits + (serial.parity === 'none' ? 0 : 1) + serial.stopBits

/** Above 19,200 baud the silence of 3.5 characters is fixed [MODBUS over serial line V1.02, 2.5.1.1]. */
const FAST_BAUD = 19_200
const FAST_SILENCE_MS = 1.75
/** Unit, function, address, count, CRC; unit, function, number of bytes, CRC. */
const ASKING = 8
const ANSWERING = 5

export type TimedRead = { fn: number; count: number }
const dataBytes = ({ fn, count }: TimedRead) => (fn <= 2 ? Math.ceil(count / 8) : 2 * count)

/** One request with its answer, in ms. */
export function requestMs(read: TimedRead, { line, latencyMs, pauseMs }: BusPace): number {
  if (!line) return latencyMs + pauseMs
  const character = (1000 * line.bitsPerCharacter) / line.baud
  const silence = line.baud > FAST_BAUD ? FAST_SILENCE_MS : 3.5 * character
  return (ASKING + ANSWERING + dataBytes(read)) * character + 2 * silence + latencyMs + pauseMs
}

export const WARN_SHARE = 0.7
export type BusLoad = {
  /** The share of the bus's time; 1 is all of it. */
  share: number
  verdict: 'fits' | 'tight' | 'overloaded'
  /** All reads of the bus once, in ms. */
  roundMs: number
  /** With every period stretched to at least this, the plan fits, and fits without a warning. In whole seconds. */
  shortestS: number
  easyS: number
}

/** The shortest period with which the bus is busy for no more than `most`: shorter ones are raised to it. */
function shortestPeriod(reads: readonly { ms: number; everyMs: number }[], most: number): number {
  const shareAt = (floorMs: number) =>
    reads.reduce((sum, { ms, everyMs }) => sum + ms / Math.max(everyMs, floorMs), 0)
  let seconds = 1
  // The round itself fits in any case, so that this ends.
  const end = Math.ceil(reads.reduce((sum, { ms }) => sum + ms, 0) / most / 1000)
  let [low, high] = [seconds, Math.max(1, end)]
  while (low < high) {
    seconds = Math.floor((low + high) / 2)
    if (shareAt(1000 * seconds) <= most) high = seconds
    else low = seconds + 1
  }
  return low
}

export function busLoad(reads: readonly (TimedRead & { everyMs: number })[], pace: BusPace): BusLoad {
  const timed = reads.map((read) => ({ ms: requestMs(read, pace), everyMs: read.everyMs }))
  const share = timed.reduce((sum, { ms, everyMs }) => sum + ms / everyMs, 0)
  return {
    share,
    verdict: share > 1 ? 'overloaded' : share > WARN_SHARE ? 'tight' : 'fits',
    roundMs: timed.reduce((sum, { ms }) => sum + ms, 0),
    shortestS: shortestPeriod(timed, 1),
    easyS: shortestPeriod(timed, WARN_SHARE),
  }
}
