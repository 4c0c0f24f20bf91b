/** When a request is due, and whose turn it is on a bus that carries one request at a time. */

/** FNV-1a, 32 bits: the same phase after each restart. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** Spreads requests with one period over it, so that a bus is not asked for everything in the same moment. */
export const phaseOf = (terminal: number, read: number, everyMs: number): number =>
  hashOf(`${terminal}/${read}`) % everyMs

export type Due = {
  /** Of the plan: the grid of due times is start + phase + k × period. */
  start: number
  phaseMs: number
  everyMs: number
  dueAt: number
  /** Due times that passed while the bus was busy. They are counted, never made up for. */
  missed: number
}

/** All requests run once when a plan starts, then at their periods. */
export const firstDue = (start: number, phaseMs: number, everyMs: number): Due => ({
  start,
  phaseMs,
  everyMs,
  dueAt: start,
  missed: 0,
})

/** After the request was sent. */
export function nextDue(due: Due, now: number): Due {
  const { start, phaseMs, everyMs } = due
  const steps = Math.floor((now - start - phaseMs) / everyMs) + 1
  const dueAt = start + phaseMs + Math.max(0, steps) * everyMs
  // The first reading is outside the grid.
  const passed = due.dueAt === start ? 0 : Math.round((dueAt - due.dueAt) / everyMs) - 1
  return { ...due, dueAt, missed: due.missed + Math.max(0, passed) }
}

/**
 * The queue of a bus. Commands and test readings have priority, but every third turn is for polling; a scan gets a
 * quarter.
 */
export type Turn = 'command' | 'poll' | 'scan'
export type Turns = { commands: number; withoutScan: number }
export const freshTurns: Turns = { commands: 0, withoutScan: 0 }

const COMMANDS_IN_A_ROW = 2
const TURNS_WITHOUT_SCAN = 3

/** null: nothing waits. */
export function chooseTurn(turns: Turns, waiting: Readonly<Record<Turn, boolean>>): Turn | null {
  if (waiting.scan && (turns.withoutScan >= TURNS_WITHOUT_SCAN || !(waiting.command || waiting.poll)))
    return 'scan'
  if (waiting.command && !(waiting.poll && turns.commands >= COMMANDS_IN_A_ROW)) return 'command'
  return waiting.poll ? 'poll' : waiting.command ? 'command' : null
}

export const afterTurn = (turns: Turns, turn: Turn): Turns => ({
  commands: turn === 'command' ? turns.commands + 1 : turn === 'poll' ? 0 : turns.commands,
  withoutScan: turn === 'scan' ? 0 : turns.withoutScan + 1,
})
