/** Log lines are batched and sent together; each has its number within one boot. Only the newest are kept. */
import type { z } from 'zod'
import { log, logPriorities } from '#schema/device/log'
import { type Base, fault } from './base.ts'
import { hostName } from './config/lan.ts'
import { chatter } from './status/chatter.ts'
import type { Timer } from './wheel.ts'

type Lines = z.input<typeof log.payload>['lines']
const GATHER_MS = 2_000
const LINES_MAX = 100
const TEXT_MAX = 1_000
/** Size of the ring buffer, like that of logd. */
const KEPT_MAX = 500
/** While the log is followed, lines are written at this interval. */
const FOLLOWED_EVERY_MS = 2_500

/** Names of users and options of the configuration are in lines: what the platform does not take would cost all lines of a message. */
const shown = (text: string) =>
  text
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, TEXT_MAX)
    .toWellFormed()

export class Logbook {
  readonly #part: Base
  #bootId = ''
  #seq = 0
  #lines: Lines = []
  #kept: Lines = []
  #timer: Timer | undefined
  #followUntil = 0

  constructor(part: Base) {
    this.#part = part
  }

  boot(bootId: string): void {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#bootId = bootId
    this.#seq = 0
    this.#lines = []
    this.#kept = []
    this.#followUntil = 0
    const { model } = this.#part.identity
    this.note('info', 'system', `host name ${hostName(this.#part.config.doc)}`)
    this.note('info', 'kernel', `Linux version ${model.kernel} on ${model.name} ${model.hardwareVersion}`)
    this.note('info', 'init', `firmware ${this.#part.row.firmware} started`)
  }

  note(priority: (typeof logPriorities)[number], tag: string, text: string): void {
    const line = { seq: this.#seq++, at: this.#part.now(), priority, tag, text: shown(text) }
    this.#kept.push(line)
    if (this.#kept.length > KEPT_MAX) this.#kept.shift()
    if (this.#lines.length < LINES_MAX) this.#lines.push(line)
    const gather = this.#part.now() < this.#followUntil ? 0 : GATHER_MS
    this.#timer ??= this.#part.world.wheel.after(gather, () => this.#send())
  }

  /** What is stored, oldest first. */
  get lines(): Lines {
    return this.#kept
  }

  /** Sends the stored lines of this priority and above again; returns how many, when they are acknowledged. */
  async replay(least: (typeof logPriorities)[number], most: number): Promise<number> {
    const from = logPriorities.indexOf(least)
    const lines = this.#kept.filter(({ priority }) => logPriorities.indexOf(priority) >= from).slice(-most)
    for (let i = 0; i < lines.length; i += LINES_MAX)
      await this.#part.report(log, { bootId: this.#bootId, lines: lines.slice(i, i + LINES_MAX) })
    return lines.length
  }

  /** New lines are sent immediately for this time, from now on; 0: no longer. */
  follow(ms: number): void {
    const going = this.#part.now() < this.#followUntil
    this.#followUntil = this.#part.now() + ms
    if (!going && ms > 0) this.#speak(this.#bootId)
  }

  #speak(bootId: string): void {
    if (this.#bootId !== bootId || this.#part.now() >= this.#followUntil || this.#part.power.aborted) return
    const line = chatter(this.#part, 1)
    if (line) this.note(line.priority, line.tag, line.text)
    this.#part.world.wheel.after(FOLLOWED_EVERY_MS, () => this.#speak(bootId))
  }

  #send(): void {
    this.#timer = undefined
    const lines = this.#lines
    this.#lines = []
    this.#part.report(log, { bootId: this.#bootId, lines }).catch(fault(this.#part))
  }
}
