/** What every part of a simulated device may use, independent of the other parts. */
import type { EventEmitter } from 'node:events'
import type { z } from 'zod'
import type { PublicKey } from '#infra/ed25519'
import type { Log } from '#infra/log'
import type { logPriorities } from '#schema/device/log'
import type { Uplink } from '#schema/kit/message'
import type { ConfigDocument } from './config/document.ts'
import type { NetworkUplink } from './config/uplink.ts'
import type { FaultShares } from './faults.ts'
import type { Identity } from './fleet.ts'
import type { Lines } from './gateway/buses.ts'
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
  /** Overrides the interval in `welcome`. */
  readonly statusEveryS: number | undefined
  readonly downloadDelayMs: number
  readonly retryPauseMs: number
  /** A change on trial waits at least this long for its confirmation, however fast the simulation is. */
  readonly trialAtLeastMs: number
  /** Devices occasionally lose their network by themselves. */
  readonly mishaps: boolean
  /** The public keys that all simulated devices trust; none: packages need no signature. */
  readonly trusted: readonly PublicKey[]
  /** What the Modbus lines of gateways are connected to. */
  readonly lines: Lines
  /** The program that opens tunnels; undefined: a client in JavaScript does. */
  readonly ssh: string | undefined
  /** Reports of variables that a gateway keeps while it is offline. */
  readonly backlogLimit: number
  readonly wheel: Wheel
  readonly store: Store
  readonly log: Log
  /** The process is ending: failures from now on are not errors. */
  closing: boolean
}

export type Base = {
  readonly sn: string
  readonly identity: Identity
  readonly world: BaseWorld
  readonly dice: Dice
  readonly events: EventEmitter
  /** Contents of flash memory. */
  readonly row: DeviceRow
  /** Its settings, also in flash memory. */
  readonly settings: Settings
  /** Its files below /etc, also in flash memory. */
  readonly config: ConfigDocument
  /** How it reaches the platform with its configuration, or why it cannot. */
  readonly uplink: NetworkUplink
  /** Subscribed, and hello sent. */
  readonly online: boolean
  /** Aborted when the device goes down; a new signal at every boot. */
  readonly power: AbortSignal
  /** Milliseconds since 1970 by the device's clock. */
  now(): number
  /** Resolves when the device has a network. */
  network(): Promise<void>
  /** Aborted when the network is lost. */
  lost(): AbortSignal
  /** Loses the network for this time. */
  goOffline(ms: number): void
  /**
   * Sends, and resends over broken connections; resolves at PUBACK. A newer report of the same `key` replaces one not
   * yet sent.
   */
  report<P extends z.ZodType>(message: Uplink<P>, payload: z.input<P>, key?: string): Promise<void>
  /** Sends once; false: the connection broke before it was acknowledged, or there is none. */
  deliver<P extends z.ZodType>(message: Uplink<P>, payload: z.input<P>): Promise<boolean>
  /**
   * Services follow a configuration that has changed; the link may go down or come up. `null`: the connection is made
   * anew in any case, otherwise if one of these packages is about the uplink.
   */
  reconfigured(packages: readonly string[] | null): void
  /** Sends hello on the current connection. */
  greet(): void
  note(priority: (typeof logPriorities)[number], tag: string, text: string): void
  down(): void
  boot(): void
}

/** Logs an error of the simulator itself; an interruption by power loss is not one. */
export const fault = (part: Pick<Base, 'sn' | 'world'>) => (error: unknown) => {
  if (part.world.closing || (error instanceof DOMException && error.name === 'AbortError')) return
  part.world.log.error({ err: error, sn: part.sn }, 'a simulated device failed')
}
