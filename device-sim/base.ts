/** What every part of a simulated device may use, whatever other parts there are. */
import type { EventEmitter } from 'node:events'
import type { z } from 'zod'
import type { Log } from '#infra/log'
import type { logPriorities } from '#schema/device/log'
import type { Uplink } from '#schema/kit/message'
import type { FaultShares } from './faults.ts'
import type { Identity } from './fleet.ts'
import type { Dice } from './random.ts'
import type { Settings } from './settings.ts'
import type { DeviceRow, Store } from './store.ts'
import type { Wheel } from './wheel.ts'

export type BaseWorld = {
  readonly seed: number
  readonly mqttUrl: URL
  readonly enrolmentKey: string | undefined
  readonly faults: FaultShares
  /** How many times faster devices reboot, flash and wait. */
  readonly speed: number
  /** Overrides what `welcome` says. */
  readonly statusEveryS: number | undefined
  readonly downloadDelayMs: number
  readonly retryPauseMs: number
  /** Now and then a device loses its network by itself. */
  readonly mishaps: boolean
  readonly wheel: Wheel
  readonly store: Store
  readonly log: Log
  /** The process ends: whatever fails from now on is no fault. */
  closing: boolean
}

export type Base = {
  readonly sn: string
  readonly identity: Identity
  readonly world: BaseWorld
  readonly dice: Dice
  readonly events: EventEmitter
  /** What is in flash memory. */
  readonly row: DeviceRow
  /** What it was set to, likewise. */
  readonly settings: Settings
  /** Subscribed and greeted. */
  readonly online: boolean
  /** Aborted when the device goes down; another one at every boot. */
  readonly power: AbortSignal
  /** Milliseconds since 1970 by the device's clock. */
  now(): number
  /** Resolves when the device has a network. */
  network(): Promise<void>
  /** Aborted when the network is lost. */
  lost(): AbortSignal
  /** Loses the network for so long. */
  goOffline(ms: number): void
  /** Sends, again and again over broken connections; resolves at PUBACK. A newer report of the same `key` replaces one not yet sent. */
  report<P extends z.ZodType>(message: Uplink<P>, payload: z.input<P>, key?: string): Promise<void>
  /** Sends hello on the present connection. */
  greet(): void
  note(priority: (typeof logPriorities)[number], tag: string, text: string): void
  down(): void
  boot(): void
}

/** A fault of the simulator itself; that the power went in the middle of something is none. */
export const fault = (part: Pick<Base, 'sn' | 'world'>) => (error: unknown) => {
  if (part.world.closing || (error instanceof DOMException && error.name === 'AbortError')) return
  part.world.log.error({ err: error, sn: part.sn }, 'a simulated device failed')
}
