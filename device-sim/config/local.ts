/** Changes made in the device's own web page or shell, bypassing the platform. */
import { exportUci } from '#schema/config/uci'
import { type Base, fault } from '../base.ts'
import type { Timer } from '../wheel.ts'
import { packagePath } from './document.ts'

/** How long LuCI waits for its browser to reconnect. */
const TRIAL_S = 90

export class LocalEdits {
  readonly #part: Base
  /** In RAM: a reboot keeps what is on trial. */
  #trial: { name: string; before: string | null; timer: Timer } | null = null
  /** Packages with uncommitted changes in /tmp/.uci. */
  #uncommitted: readonly string[] = []

  constructor(part: Base) {
    this.#part = part
  }

  boot(): void {
    this.#trial?.timer.cancel()
    this.#trial = null
    this.#uncommitted = []
  }

  /** Why these packages must not be replaced now. */
  busyWith(names: readonly string[]): string | null {
    if (this.#trial) return 'somebody is trying a change in the web page of the device'
    const found = names.find((name) => this.#uncommitted.includes(name))
    return found === undefined ? null : `${found} has uncommitted changes on the device`
  }

  /** Saves the text of a package. @throws UciFault */
  async edit(name: string, text: string): Promise<void> {
    await this.#part.config.write([{ path: packagePath(name), text }])
    this.#part.note('notice', 'luci', `${name} changed in the web page`)
    this.#part.reconfigured([name])
  }

  /** The same options in another order. */
  async reorder(name: string): Promise<void> {
    const one = this.#part.config.package(name)
    if (!one) throw new Error(`there is no package ${name}`)
    const sections = one.sections.map((section) => ({ ...section, options: section.options.toReversed() }))
    await this.edit(name, exportUci({ ...one, sections }))
  }

  /** Rolled back after 90 s, or `trialS`, unless `keep` is called. @throws UciFault */
  async try(name: string, text: string, trialS = TRIAL_S): Promise<void> {
    const { config, world } = this.#part
    const before = config.text(name) ?? null
    await this.edit(name, text)
    const timer = world.wheel.after((trialS * 1000) / world.speed, () => {
      this.#trial = null
      config
        .write([{ path: packagePath(name), text: before }])
        .then(() => this.#part.reconfigured([name]), fault(this.#part))
    })
    this.#trial = { name, before, timer }
  }

  keep(): void {
    this.#trial?.timer.cancel()
    this.#trial = null
  }

  leaveUncommitted(name: string): void {
    this.#uncommitted = [...this.#uncommitted, name]
  }
}
