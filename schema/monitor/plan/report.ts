/** Which readings a gateway reports [§3 Variable]. A cached value is never sent again under a new time. */
import type { ReportType } from '../fields.ts'
import type { RawValue } from '../modbus/decode.ts'

export type ReportRule = {
  report: ReportType
  cycleMs: number
  /** In raw units; 0: every difference is reported. */
  deadband?: number | undefined
  minIntervalMs?: number | undefined
}
/** `quality` is its code; `at` when the answer came, in ms. */
export type Reading = { at: number; value: RawValue | null; quality: number }

export type ReportState = {
  /** The last that was reported; null: none since the connection or the plan began. */
  sent: Reading | null
  /** When it was reported: held-back values are sent later than they were read. */
  sentAt: number
  /** The newest that is to be reported once the shortest interval has passed. */
  held: Reading | null
  /** When the next cycle ends. */
  dueAt: number
}
export const unreported: ReportState = { sent: null, sentAt: 0, held: null, dueAt: 0 }

/** Heartbeat: unchanged values are reported at least this often, so that silence is meaningful. */
export const HEARTBEAT_MS = 3_600_000
/** Maximum silence of a healthy variable. */
export const reportsWithinMs = ({ report, cycleMs }: Pick<ReportRule, 'report' | 'cycleMs'>): number =>
  report === 'change' ? HEARTBEAT_MS : cycleMs

/**
 * A reading that comes this much too early still belongs to the end of its cycle: polls jitter. On cycle that does not add
 * up, since the grid stays; with the others it is kept small.
 */
const EARLY = 0.1
const EARLY_MAX_MS = 500
const earlyMs = (rule: ReportRule, period: number) =>
  rule.report === 'cycle' ? EARLY * period : Math.min(EARLY * period, EARLY_MAX_MS)

function differs(one: Reading, other: Reading, deadband: number): boolean {
  if (one.quality !== other.quality) return true
  if (one.value === other.value || one.value === null || other.value === null)
    return one.value !== other.value
  const distance = Math.abs(Number(one.value) - Number(other.value))
  return Number.isNaN(distance) || deadband === 0 || distance > deadband
}

function reported(state: ReportState, rule: ReportRule, reading: Reading, now: number): ReportState {
  const period = reportsWithinMs(rule)
  // On cycle the grid stays, whatever the jitter; otherwise the cycle begins again with each report.
  const onGrid = rule.report === 'cycle' && state.sent !== null && reading.at < state.dueAt + period
  return { sent: reading, sentAt: now, held: null, dueAt: (onGrid ? state.dueAt : reading.at) + period }
}

type Decision = { state: ReportState; send: Reading | null }

export function onReading(state: ReportState, rule: ReportRule, reading: Reading): Decision {
  const { sent } = state
  const send = () => ({ state: reported(state, rule, reading, reading.at), send: reading })
  if (!sent) return send()
  const period = reportsWithinMs(rule)
  const isDue = reading.at >= state.dueAt - earlyMs(rule, period)
  const changed = rule.report !== 'cycle' && differs(sent, reading, rule.deadband ?? 0)
  // A value that has meanwhile returned to the reported one is no longer a change.
  if (!isDue && !changed) return { state: state.held ? { ...state, held: null } : state, send: null }
  if (reading.at - state.sentAt < (rule.minIntervalMs ?? 0))
    return { state: { ...state, held: reading }, send: null }
  return send()
}

/** Sends the held-back value, with its own timestamp. */
export function onTime(state: ReportState, rule: ReportRule, now: number): Decision {
  const { held, sentAt } = state
  if (!held || now - sentAt < (rule.minIntervalMs ?? 0)) return { state, send: null }
  return { state: reported(state, rule, held, now), send: held }
}
