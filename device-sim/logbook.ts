/** Log lines gather for a moment and travel together; each has its number within one boot. */
import type { z } from 'zod'
import { log, type logPriorities } from '#schema/log'
import type { Timer } from './wheel.ts'
import { fault, type Part } from './world.ts'

type Lines = z.input<typeof log.payload>['lines']
const GATHER_MS = 2_000
const LINES_MAX = 100

export class Logbook {
  readonly #part: Part
  #bootId = ''
  #seq = 0
  #lines: Lines = []
  #timer: Timer | undefined

  constructor(part: Part) {
    this.#part = part
  }

  boot(bootId: string): void {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#bootId = bootId
    this.#seq = 0
    this.#lines = []
    const { model } = this.#part.identity
    this.note('info', 'kernel', `Linux version ${model.kernel} on ${model.name} ${model.hardwareVersion}`)
    this.note('info', 'init', `firmware ${this.#part.row.firmware} started`)
  }

  note(priority: (typeof logPriorities)[number], tag: string, text: string): void {
    if (this.#lines.length < LINES_MAX)
      this.#lines.push({ seq: this.#seq++, at: this.#part.now(), priority, tag, text })
    this.#timer ??= this.#part.world.wheel.after(GATHER_MS, () => this.#send())
  }

  #send(): void {
    this.#timer = undefined
    const lines = this.#lines
    this.#lines = []
    this.#part.report(log, { bootId: this.#bootId, lines }).catch(fault(this.#part))
  }
}
