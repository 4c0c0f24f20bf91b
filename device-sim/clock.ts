/** The clock of a device: set by the platform, and without a battery unknown until then. */

export class Clock {
  readonly #hasBattery: boolean
  #aheadMs = 0
  #isSet: boolean
  #bootedAt = performance.now()

  constructor(hasBattery: boolean) {
    this.#hasBattery = hasBattery
    this.#isSet = hasBattery
  }

  boot(): void {
    this.#bootedAt = performance.now()
    this.#isSet = this.#hasBattery
  }

  /** Sets the clock to the platform's time. */
  set(at: number): void {
    this.#aheadMs = at - Date.now()
    this.#isSet = true
  }

  get isSet(): boolean {
    return this.#isSet
  }

  /** Milliseconds since 1970. */
  now(): number {
    return Date.now() + this.#aheadMs
  }

  /** Milliseconds since the start of the device. */
  uptime(): number {
    return Math.round(performance.now() - this.#bootedAt)
  }

  /** Converts milliseconds since the start to milliseconds since 1970. */
  atUptime(up: number): number {
    return this.now() - (this.uptime() - up)
  }
}
