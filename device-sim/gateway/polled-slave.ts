/** One terminal of a plan: its requests and when they are due, its last reports, and whether it responds. */
import { type Quality, qualityCode, type SlaveState } from '#schema/monitor/fields'
import type { RawValue } from '#schema/monitor/modbus/decode'
import type { ModbusAnswer, ReadFunction } from '#schema/monitor/modbus/pdu'
import { type Breaker, closedBreaker } from '#schema/monitor/plan/breaker'
import { onReading, onTime, type ReportState, unreported } from '#schema/monitor/plan/report'
import { type Due, firstDue, nextDue, phaseOf } from '#schema/monitor/plan/schedule'
import { BAD_ADDRESS_RETRY_MS, type Piece, pieceOf, splitPiece } from '#schema/monitor/plan/split'
import { planValue } from '#schema/monitor/plan/value-of'
import type { PlanTerminal, PlanVariable } from '#schema/monitor/wire'
import type { Wheel } from '../wheel.ts'
import type { Gatherer } from './gatherer.ts'

/** A request as it is sent: one of the plan's, or a part of it. */
export type Job = { readonly fn: ReadFunction; readonly read: number; readonly piece: Piece; due: Due }

export class PolledSlave {
  readonly plan: PlanTerminal
  breaker: Breaker = closedBreaker
  jobs: Job[]
  /** null: not asked yet. */
  state: SlaveState | null = null
  since = 0
  /** Parts of requests that have been split since. */
  #missedBefore = 0
  readonly #reports = new Map<number, ReportState>()
  readonly #gatherer: Gatherer
  readonly #wheel: Wheel

  constructor(plan: PlanTerminal, gatherer: Gatherer, wheel: Wheel) {
    this.plan = plan
    this.#gatherer = gatherer
    this.#wheel = wheel
    const now = performance.now()
    this.jobs = plan.reads.flatMap(({ fn, everyMs }, read) => {
      const piece = pieceOf(plan, read)
      return piece ? [{ fn, read, piece, due: firstDue(now, phaseOf(plan.t, read, everyMs), everyMs) }] : []
    })
  }

  /** Cycles that were left out because the bus had no time. */
  get missed(): number {
    return this.jobs.reduce((sum, { due }) => sum + due.missed, this.#missedBefore)
  }

  /** Everything is reported once: after connecting. */
  forget(): void {
    this.#reports.clear()
  }

  /** Everything is read again: it responds after it had been given up. */
  hurry(now: number): void {
    for (const job of this.jobs) if (job.due.dueAt > now) job.due = { ...job.due, dueAt: now }
  }

  sent(job: Job, now: number): void {
    job.due = nextDue(job.due, now)
  }

  took({ piece, read }: Job, answer: ModbusAnswer, up: number): void {
    const start = (this.plan.reads[read]?.address ?? 0) - piece.address
    for (const { variable: index } of piece.items) {
      const variable = this.plan.vars[index]
      if (!variable) continue
      const { value, quality } = planValue(variable, answer, start)
      this.#see(variable, value, quality, up)
    }
  }

  /** Marks the values of this request as missing. */
  lost({ piece }: Job, quality: Quality, up: number): void {
    for (const { variable: index } of piece.items) {
      const variable = this.plan.vars[index]
      if (variable) this.#see(variable, null, quality, up)
    }
  }

  lostAll(quality: Quality, up: number): void {
    for (const variable of this.plan.vars) this.#see(variable, null, quality, up)
  }

  /** Its slave does not have one of these registers. False: this is the only one that is left. */
  split(job: Job, now: number): boolean {
    const parts = splitPiece(job.piece)
    if (!parts) {
      job.due = { ...job.due, dueAt: now + Math.max(BAD_ADDRESS_RETRY_MS, job.due.everyMs) }
      return false
    }
    this.#missedBefore += job.due.missed
    const due = { ...job.due, missed: 0, dueAt: now }
    const jobs = parts.map((piece) => ({ ...job, piece, due }))
    this.jobs = this.jobs.flatMap((other) => (other === job ? jobs : [other]))
    return true
  }

  /** Its bus is not available, so it cannot be polled. */
  noPort(now: number, up: number): void {
    this.state = 'noPath'
    this.since = now
    this.lostAll('noPath', up)
  }

  flush(): void {
    this.#gatherer.flush()
  }

  #see(variable: PlanVariable, value: RawValue | null, quality: Quality, up: number): void {
    const { slot } = variable
    const before = this.#reports.get(slot) ?? unreported
    const { state, send } = onReading(before, variable, { at: up, value, quality: qualityCode(quality) })
    this.#reports.set(slot, state)
    if (send) this.#gatherer.add(slot, send)
    else if (state.held && !before.held)
      this.#sendHeld(variable, state.sentAt + (variable.minIntervalMs ?? 0), up)
  }

  /** At `dueAt`, when the shortest interval since the last report has passed: both as `up`, since the start of the device. */
  #sendHeld(variable: PlanVariable, dueAt: number, up: number): void {
    this.#wheel.after(Math.max(0, dueAt - up), () => {
      const before = this.#reports.get(variable.slot)
      if (!before?.held) return
      const { state, send } = onTime(before, variable, dueAt)
      this.#reports.set(variable.slot, state)
      if (send) this.#gatherer.add(variable.slot, send)
    })
  }
}
