/** What a device was set to, in flash: survives a restart; a factory reset takes all but what the contract keeps. */
import type { Store } from './store.ts'

/** The coming moments of a scheduled reboot, and what has been run; `untold`: run by itself, not yet heard. */
export type KeptSchedule = {
  revision: number
  dueAts: number[]
  waitS: number
  lastRunAt: number
  untold: { dueAt: number; at: number }[]
}
type Values = {
  /** How often somebody has changed the local settings; 0: as from the factory. */
  config: number
  /** The same for WAN and SIM settings. */
  network: number
  /** Services that were stopped. */
  stopped: string[]
  schedule: KeptSchedule
  activeSlot: number
}

const factory: Values = {
  config: 0,
  network: 0,
  stopped: [],
  schedule: { revision: 0, dueAts: [], waitS: 60, lastRunAt: 0, untold: [] },
  activeSlot: 1,
}
/** Set up by whoever installed it. */
const installed: Partial<Values> = { config: 1, network: 1 }

type Keeper = { readonly sn: string; readonly world: { readonly store: Store } }

export class Settings {
  readonly #part: Keeper
  #values: Values

  constructor(part: Keeper) {
    this.#part = part
    const rows = part.world.store.memory(part.sn)
    this.#values = {
      ...factory,
      ...installed,
      ...Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value)])),
    }
  }

  get<K extends keyof Values>(key: K): Values[K] {
    return this.#values[key]
  }

  /** Resolves when it is on disk. */
  put<K extends keyof Values>(key: K, value: Values[K]): Promise<void> {
    this.#values = { ...this.#values, [key]: value }
    return this.#part.world.store.saveMemory(this.#part.sn, key, value)
  }

  /** As from the factory. What moment was run last stays, like command ids: nothing is to happen twice. */
  async reset(keepNetwork: boolean): Promise<void> {
    const { network, activeSlot, schedule } = this.#values
    const kept: Values = {
      ...factory,
      ...(keepNetwork && { network, activeSlot }),
      schedule: { ...factory.schedule, lastRunAt: schedule.lastRunAt },
    }
    for (const key of Object.keys(kept) as (keyof Values)[]) await this.put(key, kept[key])
  }
}
