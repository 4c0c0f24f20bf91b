/** Relays and contacts: outputs are the switches of its configuration, and have the configured state after a start. */
import type { z } from 'zod'
import type { ioSection } from '#schema/device/section-io'
import type { Base } from '../base.ts'
import { share } from '../random.ts'
import { said } from './said.ts'

type Io = z.input<typeof ioSection>
/** A contact is seldom moved. */
const HOUR_MS = 3_600_000
const CONTACTS = ['DI1', 'DI2'] as const

export class Outputs {
  readonly #part: Base
  /** What was switched since the start, by name. */
  #switched = new Map<string, boolean>()

  constructor(part: Base) {
    this.#part = part
  }

  boot(): void {
    this.#switched = new Map()
  }

  list(): Io[] {
    const outputs = this.#configured().map(({ name, on }) => ({
      name,
      direction: 'out' as const,
      on: this.#switched.get(name) ?? on,
    }))
    if (outputs.length === 0) return []
    return [
      ...outputs,
      ...CONTACTS.map((name, i) => ({ name, direction: 'in' as const, on: this.contact(i) })),
    ]
  }

  /** The names of its relays, in their order. */
  get names(): readonly string[] {
    return this.#configured().map(({ name }) => name)
  }

  /** Those at its terminals for contacts. */
  get contacts(): number {
    return this.#configured().length === 0 ? 0 : CONTACTS.length
  }

  /** From 0. */
  contact(i: number): boolean {
    const { identity, world } = this.#part
    const hour = Math.floor(this.#part.now() / HOUR_MS)
    return share(world.seed, identity.sn, i === 0 ? 'door' : `contact ${i}`, hour) > 0.8
  }

  /** Returns what is read back. @throws with the text for the reply. */
  switch(name: string, on: boolean): boolean {
    if (!this.#configured().some((output) => output.name === name))
      throw new Error(`there is no output ${name}`)
    this.#switched.set(name, on)
    return this.#switched.get(name) ?? on
  }

  #configured(): { name: string; on: boolean }[] {
    const sections = this.#part.config.doc['system']?.sections ?? []
    return sections
      .filter((section) => section.type === 'gpio_switch' && said(section, 'name') !== '')
      .map((section) => ({ name: said(section, 'name').slice(0, 32), on: said(section, 'value') === '1' }))
  }
}
