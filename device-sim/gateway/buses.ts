/** The buses of one gateway: those of its plan, and temporarily those that a user is testing. */
import type { PlanBus } from '#schema/monitor/wire'
import type { Wheel } from '../wheel.ts'
import { type Ask, Bus, type Lane } from './bus.ts'
import { OwnWire } from './own-wire.ts'
import type { Slave } from './slave.ts'
import { type Line, noPath, Wire } from './wire.ts'

const MODBUS_PORT = 502
/** A bus without polls is closed after this time. */
const IDLE_MS = 10_000

export type Lines = {
  /** What a serial port of the gateway is connected to: a converter, since there is no hardware; null: nothing. */
  serial(name: string): { host: string; port: number } | null
  /** False: connections to this host are not made from here. */
  allows(host: string): boolean
}

export const keyOf = ({ kind, host, port, serial, serialPort }: PlanBus) =>
  kind === 'own'
    ? kind
    : kind === 'rtu'
      ? `rtu ${serial} ${serialPort ?? ''}`
      : `${kind} ${host}:${port ?? MODBUS_PORT}`

export class Buses {
  readonly #lines: Lines
  readonly #wheel: Wheel
  readonly #own: Slave | null
  readonly #onFault: (error: Error) => void
  readonly #open = new Map<string, { bus: Bus; users: number }>()

  /**
   * @param own the inputs and outputs of the gateway itself; null: it has none
   * @param onFault when a poll fails through no fault of a slave, e.g. because the backlog's disk is full
   */
  constructor(lines: Lines, wheel: Wheel, own: Slave | null, onFault: (error: Error) => void) {
    this.#own = own
    this.#lines = lines
    this.#wheel = wheel
    this.#onFault = onFault
  }

  /** Kept open until `release`; null: it leads nowhere. */
  hold(spec: PlanBus): Bus | null {
    const open = this.#openerOf(spec)
    if (!open) return null
    const key = keyOf(spec)
    const found = this.#open.get(key) ?? { bus: new Bus(spec, open, this.#wheel, this.#onFault), users: 0 }
    found.users += 1
    this.#open.set(key, found)
    return found.bus
  }

  release(spec: PlanBus): void {
    const key = keyOf(spec)
    const found = this.#open.get(key)
    if (!found) return
    found.users -= 1
    if (found.users > 0) return
    this.#open.delete(key)
    found.bus.close()
  }

  /** Runs `ask` between the polls of a bus, which is opened for it if nothing is polled there. */
  async take<T>(spec: PlanBus, lane: Lane, run: (ask: Ask) => Promise<T>): Promise<T> {
    const bus = this.hold(spec)
    if (!bus) return run(async () => noPath)
    try {
      return await bus.take(lane, run)
    } finally {
      this.#wheel.after(IDLE_MS, () => {
        // After a reboot it is another one, which is not this one's to release.
        if (this.#open.get(keyOf(spec))?.bus === bus) this.release(spec)
      })
    }
  }

  close(): void {
    for (const { bus } of this.#open.values()) bus.close()
    this.#open.clear()
  }

  #openerOf(spec: PlanBus): (() => Line) | null {
    const own = this.#own
    if (spec.kind === 'own') return own && (() => new OwnWire(own))
    const where = this.#whereOf(spec)
    const isTcp = spec.kind === 'tcp'
    return where && (() => new Wire({ ...where, isTcp, wheel: this.#wheel }))
  }

  #whereOf({ kind, host, port, serial }: PlanBus): { host: string; port: number } | null {
    if (kind === 'rtu') return serial === undefined ? null : this.#lines.serial(serial)
    return host !== undefined && this.#lines.allows(host) ? { host, port: port ?? MODBUS_PORT } : null
  }
}
