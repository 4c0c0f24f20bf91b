/** A device's settings in flash: they survive a restart; a factory reset clears all but what the protocol keeps. */
import type { Store } from './store.ts'

/**
 * The coming times of a scheduled reboot, and those that were run; `untold`: run by itself and not yet acknowledged.
 */
export type KeptSchedule = {
  revision: number
  dueAts: number[]
  waitS: number
  lastRunAt: number
  untold: { dueAt: number; at: number }[]
}

/** Files that a configuration file brought, as base64 by path, and the task item that brought them. */
export type Restored = { item: string; files: Record<string, string> }
type Values = {
  /** How often the local settings were changed; 0: factory settings. */
  config: number
  /** The same for WAN and SIM settings. */
  network: number
  /** Services that were stopped. */
  stopped: string[]
  /** null: none since the factory settings. */
  restored: Restored | null
  /** Verified, to be restored while the device is down. */
  restoring: Restored | null
  /** Restored, but not confirmed by the platform's welcome: what to go back to otherwise. */
  trial: { item: string; former: Restored | null } | null
  schedule: KeptSchedule
  activeSlot: number
}

const factory: Values = {
  config: 0,
  network: 0,
  stopped: [],
  restored: null,
  restoring: null,
  trial: null,
  schedule: { revision: 0, dueAts: [], waitS: 60, lastRunAt: 0, untold: [] },
  activeSlot: 1,
}
/** As configured at installation. */
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

  /** Back to factory settings. The last time that was run stays, like command ids: nothing may happen twice. */
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
