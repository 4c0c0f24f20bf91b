/** A device's settings in flash: they survive a restart; a factory reset clears all but what the protocol keeps. */

import type { PlanDocument } from '#schema/monitor/wire'
import type { PortalSchedule } from '#schema/portal/portal-schedule'
import type { Journal } from './config/journal.ts'
import type { FileRow, Store } from './store.ts'

/**
 * The coming times of a scheduled reboot, and those that were run; `unreported`: run without a command and not yet acknowledged.
 */
export type KeptSchedule = {
  revision: number
  dueAts: number[]
  waitS: number
  lastRunAt: number
  unreported: { dueAt: number; at: number }[]
}

type Files = readonly FileRow[]

/** The advertisements with the hashes of their stored pictures, and how often each was shown on the last days. */
export type KeptPortal = {
  revision: string
  advertisements: readonly { id: number; sha256: string; sizeBytes: number; schedule: PortalSchedule }[]
  counts: readonly { id: number; day: string; shown: number; clicked: number }[]
}
type Values = {
  /** 1: set up by its owner; 0: as it left the factory. */
  config: number
  /** A change of the configuration that is not confirmed yet. */
  journal: Journal | null
  /** Services that were stopped. */
  stopped: string[]
  /** The task item of the configuration file that was restored last; null: none since the factory settings. */
  restored: string | null
  /** Verified, to be restored while the device is down. */
  restoring: { item: string; files: Files } | null
  /** Restored, but not confirmed by the platform's welcome: what to go back to otherwise. */
  trial: { item: string; formerItem: string | null; files: Files } | null
  schedule: KeptSchedule
  activeSlot: number
  portal: KeptPortal
  /** What it polls. */
  plan: PlanDocument | null
  /** Hash of the password of root; null: none. */
  rootPassword: string | null
}

const factory: Values = {
  config: 0,
  journal: null,
  stopped: [],
  restored: null,
  restoring: null,
  trial: null,
  schedule: { revision: 0, dueAts: [], waitS: 60, lastRunAt: 0, unreported: [] },
  activeSlot: 1,
  portal: { revision: '', advertisements: [], counts: [] },
  plan: null,
  rootPassword: null,
}
/** As configured at installation. */
const installed: Partial<Values> = { config: 1 }

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

  /** Back to factory settings, in one commit with what else is written in the same turn. The last time that was run stays, like command ids: nothing may happen twice. */
  async reset(keepNetwork: boolean): Promise<void> {
    const { activeSlot, schedule } = this.#values
    const kept: Values = {
      ...factory,
      ...(keepNetwork && { activeSlot }),
      schedule: { ...factory.schedule, lastRunAt: schedule.lastRunAt },
    }
    await Promise.all((Object.keys(kept) as (keyof Values)[]).map((key) => this.put(key, kept[key])))
  }
}
