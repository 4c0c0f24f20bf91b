/**
 * A bus with slaves: one request in flight, commands first, then due polls; a scan gets a quarter of the time. Connects
 * when it is first needed, and reconnects after 1, 2, 4 … 60 s.
 */

import type { ModbusRequest } from '#schema/monitor/modbus/pdu'
import { connectDelay, RECONNECT_SILENT_MS } from '#schema/monitor/plan/breaker'
import { afterTurn, chooseTurn, freshTurns } from '#schema/monitor/plan/schedule'
import type { PlanBus } from '#schema/monitor/wire'
import type { Wheel } from '../wheel.ts'
import { type Line, noPath, type Reply } from './wire.ts'

/** The work of a poll or a command in its turn: it may send several requests. */
export type Ask = (unit: number, request: ModbusRequest, timeoutMs: number) => Promise<Reply>

/** What is polled on a bus. */
export type Polled = {
  /** When the next one is due, by `performance.now()`; null: nothing ever. */
  due(): number | null
  /** Does the one that is due longest. */
  poll(ask: Ask): Promise<void>
}

type Turn = { readonly run: (ask: Ask) => Promise<void> }
export type Lane = 'command' | 'scan'

/** A scan's share of the bus's time while other requests are due. */
const SCAN_SHARE = 0.25
/** After a turn that failed through no fault of a slave. */
const FAULT_PAUSE_MS = 1000

export class Bus {
  readonly #spec: PlanBus
  readonly #open: () => Line
  readonly #wheel: Wheel
  readonly #onFault: (error: Error) => void
  readonly #lanes: Record<Lane, Turn[]> = { command: [], scan: [] }
  readonly #polled = new Set<Polled>()
  #wire: Line | null = null
  #pauseMs = 0
  #tries = 0
  #nextTryAt = 0
  #reconnectedAt = Number.NEGATIVE_INFINITY
  #turns = freshTurns
  #scannedMs = 0
  #scanSince = 0
  #working = false
  #closed = false
  #wake: () => void = () => undefined

  constructor(spec: PlanBus, open: () => Line, wheel: Wheel, onFault: (error: Error) => void) {
    this.#onFault = onFault
    this.#spec = spec
    this.#open = open
    this.#wheel = wheel
  }

  /** Connected, or not tried yet. */
  get hasPath(): boolean {
    return this.#nextTryAt === 0
  }

  poll(polled: Polled): void {
    this.#polled.add(polled)
    this.changed()
  }

  pollNoMore(polled: Polled): void {
    this.#polled.delete(polled)
  }

  /** Something has become due earlier. */
  changed(): void {
    if (!this.#working && !this.#closed) void this.#work()
    else this.#wake()
  }

  /** Resolves with what `run` returns, when it was its turn. */
  take<T>(lane: Lane, run: (ask: Ask) => Promise<T>): Promise<T> {
    return new Promise<T>((done, fail) => {
      if (lane === 'scan' && this.#lanes.scan.length === 0) {
        this.#scanSince = performance.now()
        this.#scannedMs = 0
      }
      this.#lanes[lane].push({ run: (ask) => run(ask).then(done, fail) })
      this.changed()
    })
  }

  /** Reconnects when no slave responds any more: the converter may hang. */
  reconnect(): void {
    if (performance.now() - this.#reconnectedAt < RECONNECT_SILENT_MS) return
    this.#reconnectedAt = performance.now()
    this.#wire?.close()
    this.#wire = null
  }

  close(): void {
    this.#closed = true
    this.#wire?.close()
    this.#wake()
  }

  async #work(): Promise<void> {
    this.#working = true
    while (!this.#closed) {
      const turn = this.#next()
      if (typeof turn === 'number') {
        if (turn === Number.POSITIVE_INFINITY && this.#polled.size === 0 && this.#wire === null) break
        await this.#rest(turn)
        continue
      }
      try {
        await turn.run((unit, request, timeoutMs) => this.#ask(unit, request, timeoutMs))
      } catch (error) {
        // One turn that fails must not end the polling of all slaves of this bus.
        this.#onFault(error as Error)
        await this.#wheel.sleep(FAULT_PAUSE_MS)
      }
    }
    this.#working = false
  }

  /** Whose turn it is; or how long there is nothing to do [ms]. */
  #next(): Turn | number {
    const now = performance.now()
    const due = this.#earliest()
    const poll = due !== null && due.at <= now
    const { command, scan } = this.#lanes
    // A scan waits for silent slaves: turns alone would give it most of the time.
    const scanIsBehind = this.#scannedMs <= SCAN_SHARE * (now - this.#scanSince)
    const waiting = { command: command.length > 0, poll, scan: scan.length > 0 && (!poll || scanIsBehind) }
    const turn = chooseTurn(this.#turns, waiting)
    if (turn === null) return due === null ? Number.POSITIVE_INFINITY : due.at - now
    this.#turns = afterTurn(this.#turns, turn)
    if (turn === 'poll') return { run: (ask) => due?.polled.poll(ask) ?? Promise.resolve() }
    const next = this.#lanes[turn].shift() as Turn
    return turn === 'scan' ? this.#timed(next) : next
  }

  #timed(turn: Turn): Turn {
    return {
      run: async (ask) => {
        const began = performance.now()
        await turn.run(ask)
        this.#scannedMs += performance.now() - began
      },
    }
  }

  #earliest(): { polled: Polled; at: number } | null {
    let first: { polled: Polled; at: number } | null = null
    for (const polled of this.#polled) {
      const at = polled.due()
      if (at !== null && (first === null || at < first.at)) first = { polled, at }
    }
    return first
  }

  async #ask(unit: number, request: ModbusRequest, timeoutMs: number): Promise<Reply> {
    const wire = await this.#connected()
    if (!wire) return noPath
    if (this.#pauseMs > 0) await this.#wheel.sleep(this.#pauseMs)
    this.#pauseMs = this.#spec.pauseMs
    const answer = await wire.ask(unit, request, timeoutMs)
    if (wire.broken && this.#wire === wire) this.#wire = null
    return answer
  }

  async #connected(): Promise<Line | null> {
    if (this.#wire && !this.#wire.broken) return this.#wire
    const now = performance.now()
    if (now < this.#nextTryAt) return null
    const wire = this.#open()
    if (await wire.open()) {
      this.#wire = wire
      this.#tries = 0
      this.#nextTryAt = 0
      this.#pauseMs = this.#spec.connectDelayMs
      if (this.#closed) wire.close()
      return wire
    }
    this.#tries += 1
    this.#nextTryAt = performance.now() + connectDelay(this.#tries, Math.random())
    return null
  }

  #rest(ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = ms === Number.POSITIVE_INFINITY ? null : this.#wheel.after(ms, () => done())
      this.#wake = () => {
        timer?.cancel()
        done()
      }
    })
  }
}
