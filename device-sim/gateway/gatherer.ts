/** Collects the values of one terminal for up to a second, to send them as one report with one timestamp. */
import type { Reading } from '#schema/monitor/plan/report'
import type { Timer, Wheel } from '../wheel.ts'
import type { Measured } from './forwarder.ts'

const GATHER_MS = 1_000

type Owner = { readonly wheel: Wheel; send(measured: Measured, up: number): void }

export class Gatherer {
  readonly #owner: Owner
  readonly #terminal: number
  readonly #plan: number
  /** By slot; `at` counts from the start of the device. */
  readonly #seen = new Map<number, Reading>()
  #timer: Timer | null = null

  constructor(owner: Owner, terminal: number, plan: number) {
    this.#owner = owner
    this.#terminal = terminal
    this.#plan = plan
  }

  add(slot: number, reading: Reading): void {
    // Both values must be kept: the earlier one becomes a separate report.
    if (this.#seen.has(slot)) this.flush()
    this.#seen.set(slot, reading)
    this.#timer ??= this.#owner.wheel.after(GATHER_MS, () => this.flush())
  }

  flush(): void {
    this.#timer?.cancel()
    this.#timer = null
    if (this.#seen.size === 0) return
    const all = [...this.#seen].toSorted(([one], [other]) => one - other)
    this.#seen.clear()
    const isGood = all.every(([, { quality }]) => quality === 0)
    this.#owner.send(
      {
        t: this.#terminal,
        plan: this.#plan,
        i: all.map(([slot]) => slot),
        v: all.map(([, { value }]) => value),
        ...(!isGood && { q: all.map(([, { quality }]) => quality) }),
      },
      // The newest answer gives the report its time: the others are hardly older.
      Math.max(...all.map(([, { at }]) => at)),
    )
  }
}
