/** Sends a status at the interval that the platform asks for, and the events and reports of the same round. */
import { probe } from '#schema/device/probe'
import { status } from '#schema/device/status'
import type { Life } from '../life.ts'
import type { Printers } from '../printers.ts'
import type { Timer } from '../wheel.ts'
import type { Part } from '../world.ts'
import { chatter } from './chatter.ts'
import { loseNetworkAtRandom } from './network-outages.ts'
import { measure } from './probes.ts'
import { situationOf } from './situation.ts'

const DEFAULT_EVERY_S = 30
/** The first status is sent soon after hello, but not by all devices at the same time. */
const FIRST_MS = 2_000

export class StatusRounds {
  readonly #part: Part
  readonly #life: Life
  readonly #printers: Printers
  #timer: Timer | undefined
  #everyS: number
  #unanswered = false
  #measured = false

  constructor(part: Part, life: Life, printers: Printers) {
    this.#part = part
    this.#life = life
    this.#printers = printers
    this.#everyS = part.world.statusEveryS ?? DEFAULT_EVERY_S
  }

  connected(): void {
    this.#unanswered = false
    const { world, dice } = this.#part
    this.#timer = world.wheel.after(dice.roll() * FIRST_MS, () => this.#tell())
  }

  disconnected(): void {
    this.#timer?.cancel()
  }

  every(seconds: number): void {
    this.#everyS = this.#part.world.statusEveryS ?? seconds
  }

  #tell(): void {
    const part = this.#part
    const every = this.#everyS * 1000
    this.#timer = part.world.wheel.after(every * part.dice.between(0.95, 1.05), () => this.#tell())
    // While the platform holds back its acknowledgement, further samples would only pile up.
    if (this.#unanswered) return
    this.#unanswered = true
    const sample = { ...this.#life.sample(part.now(), situationOf(part)), configHash: part.config.hash }
    void part.deliver(status, sample).then(() => {
      this.#unanswered = false
    })
    this.#measured = !this.#measured
    if (this.#measured) for (const found of measure(part, part.now())) void part.deliver(probe, found)
    this.#printers.tell()
    part.portal.sampled()
    part.sections.sampled(sample)
    part.radio.misbehaveAtRandom(every)
    const line = chatter(part)
    if (line) part.note(line.priority, line.tag, line.text)
    loseNetworkAtRandom(part, every)
  }
}
