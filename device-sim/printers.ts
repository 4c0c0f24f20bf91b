/**
 * The printers at a print server. Everything is computed from the serial number and the clock: counters continue
 * across restarts without being stored, and two readings of the same time are equal.
 */
import type { z } from 'zod'
import { type PrinterState, printers } from '#schema/printing/printer'
import { fault } from './base.ts'
import { Dice } from './random.ts'
import type { Part } from './world.ts'

type Attached = { id: string; make: (typeof makes)[number]; everyMs: number; port: string }
type Reported = z.input<typeof printers.payload>['printers'][number]

const makes = [
  { vendor: 'EPSON', type: 'TM-T88V', driverSign: 'escpos' },
  { vendor: 'HP', type: 'LaserJet M404', driverSign: 'pcl6' },
  { vendor: 'Zebra', type: 'ZD421', driverSign: 'zpl' },
  { vendor: 'Brother', type: 'HL-L2350DW', driverSign: 'pcl6' },
] as const
const troubles: readonly PrinterState[] = ['outOfPaper', 'paperJam', 'coverOpen', 'error']

const ATTACHED_AT_MS = Date.UTC(2026, 0, 1)
const HOUR_MS = 3_600_000
/** One job in this many fails. */
const FAILS = 150
/** In one of this many hours a printer waits for a person. */
const TROUBLE_HOURS = 60
const PRINTING_MS = 8_000

export class Printers {
  readonly #part: Part
  readonly #all: readonly Attached[]
  #reported = ''

  constructor(part: Part) {
    this.#part = part
    const dice = new Dice(part.world.seed, part.sn, 'printers')
    const count = part.identity.model.hardwareType === 'printServer' ? Math.floor(dice.between(1, 4)) : 0
    this.#all = Array.from({ length: count }, (_, i) => ({
      id: `usb-${i + 1}`,
      make: makes[Math.floor(dice.roll() * makes.length)] ?? makes[0],
      everyMs: Math.round(dice.between(60_000, 900_000)),
      port: `/dev/usb/lp${i}`,
    }))
  }

  /** After each hello the list is reported even if it is unchanged. */
  connected(): void {
    this.#reported = ''
    this.tell()
  }

  /** Reports the list if it has changed since the last report. */
  tell(): void {
    if (this.#all.length === 0) return
    const now = this.#part.now()
    const list = this.#all.map((printer, i) => this.#read(printer, i, now))
    const said = JSON.stringify(list)
    if (said === this.#reported) return
    this.#reported = said
    this.#part.report(printers, { at: now, printers: list }, 'printers').catch(fault(this.#part))
  }

  #read({ id, make, everyMs, port }: Attached, i: number, now: number): Reported {
    const done = Math.floor((now - ATTACHED_AT_MS) / everyMs)
    const lastPrintAt = ATTACHED_AT_MS + done * everyMs
    const hour = new Dice(this.#part.world.seed, this.#part.sn, `printer ${i} ${Math.floor(now / HOUR_MS)}`)
    const trouble = hour.roll() * TROUBLE_HOURS < 1
    const failCount = Math.floor(done / FAILS)
    return {
      id,
      ...make,
      method: 'usb',
      port,
      status: trouble
        ? (troubles[Math.floor(hour.roll() * troubles.length)] ?? 'error')
        : now - lastPrintAt < PRINTING_MS
          ? 'printing'
          : 'ready',
      successCount: done - failCount,
      failCount,
      lastPrintAt,
    }
  }
}
