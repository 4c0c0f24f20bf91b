/** Starts a simulated fleet: 1 to 10,000 devices that know only the public protocol. */
import { SettingError } from '#infra/env'
import { gather, gatherDeclared, mismatch } from '#infra/gather'
import type { Log } from '#infra/log'
import { isCommand } from '#schema/kit/command'
import { isDownlink } from '#schema/kit/message'
import { isOrdered } from './command.ts'
import { SimDevice } from './device.ts'
import { ears } from './downlinks.ts'
import type { FaultShares } from './faults.ts'
import { trustedKeys } from './fetch-package.ts'
import { type Identity, identify, type Place, planFleet } from './fleet.ts'
import type { Lines } from './gateway/buses.ts'
import { linesTo } from './gateway/lines.ts'
import { type DeviceRow, openStore } from './store.ts'
import { startWheel } from './wheel.ts'
import type { Ordered, World } from './world.ts'

export type { SimDevice } from './device.ts'

export type SimOptions = {
  count: number
  /** Same seed, same fleet, same faults. */
  seed: number
  /** mqtt:// or mqtts:// */
  mqttUrl: string
  /** Used to enrol devices that have no secret. */
  enrolmentKey?: string | undefined
  /** Secrets of devices that the platform created. */
  secrets?: Readonly<Record<string, string>> | undefined
  /** Contains the devices' flash memory; used by one simulator at a time. */
  dataDir: string
  /** Shares of items that fail, and how. */
  faults: FaultShares
  /** How many times faster devices reboot, flash, and wait. */
  speed: number
  /** Overrides the interval in `welcome`. */
  statusEveryS?: number | undefined
  log: Log
  /** Approximate duration of a download, whatever the network allows. Default 0. */
  downloadDelayMs?: number | undefined
  /** Pause before a broken download is retried, growing with each try; default 2 s at speed 1. */
  retryPauseMs?: number | undefined
  /** At least this long a change on trial waits for its confirmation; default 8 s: the platform looks every 2 s. */
  trialAtLeastMs?: number | undefined
  /** Only these models, in turn. */
  models?: readonly string[] | undefined
  /** These devices instead of `planFleet(count, seed, models)`. */
  fleet?: readonly Place[] | undefined
  /** Public keys that the devices trust for packages; default none: packages need no signature. */
  trustedKeys?: readonly string[] | undefined
  /** Devices occasionally lose their network by themselves. Default false. */
  mishaps?: boolean | undefined
  /** Where the Modbus lines of gateways lead. Default: serial ports nowhere, TCP to this machine only. */
  lines?: Lines | undefined
  /** The program that opens tunnels; default none: a client in JavaScript does. */
  ssh?: string | undefined
  /** Reports of variables that a gateway keeps while it is offline; default 20,000. */
  backlogLimit?: number | undefined
}

export type Sim = {
  devices: SimDevice[]
  device(sn: string): SimDevice
  onlineCount(): number
  /** Resolves when all are online. @throws after `timeoutMs` with the number that are. */
  whenOnline(timeoutMs: number): Promise<void>
  close(): Promise<void>
}

/** Devices per second that are switched on. */
const BOOTS_PER_S = 1000

async function gatherOrders(): Promise<ReadonlyMap<string, Ordered>> {
  const declared = (await gatherDeclared(isCommand)).map(({ name }) => name)
  const ordered = await gather(new URL('./commands/', import.meta.url), isOrdered)
  const downlinks = (await gatherDeclared(isDownlink)).map(({ name }) => name)
  const wrong = [
    ...mismatch(
      declared,
      ordered.map(({ command }) => command.name),
    ).map((line) => `command ${line}`),
    ...mismatch(
      downlinks,
      ears.map(({ message }) => message.name),
    ).map((line) => `message ${line}`),
  ]
  if (wrong.length > 0) throw new Error(`the simulator cannot start: ${wrong.join('; ')}`)
  return new Map(ordered.map((order) => [order.command.name, order]))
}

/** Factory state: no secret, the firmware of its production run. */
const newRow = ({ sn, firmware }: Identity): DeviceRow => ({ sn, secret: null, firmware, packages: '{}' })

/**
 * Resolves when the devices are being switched on, not when they are online. @throws SettingError if the state is in
 * use, or devices have neither a secret nor an enrolment key.
 */
export async function startDeviceSim(options: SimOptions): Promise<Sim> {
  const orders = await gatherOrders()
  const store = openStore(options.dataDir)
  const wheel = startWheel()
  const world: World = {
    seed: options.seed,
    mqttUrl: new URL(options.mqttUrl),
    enrolmentKey: options.enrolmentKey,
    faults: options.faults,
    speed: options.speed,
    statusEveryS: options.statusEveryS,
    downloadDelayMs: options.downloadDelayMs ?? 0,
    retryPauseMs: options.retryPauseMs ?? 2000 / options.speed,
    trialAtLeastMs: options.trialAtLeastMs ?? 8_000,
    mishaps: options.mishaps ?? false,
    trusted: trustedKeys(options.trustedKeys ?? []),
    lines: options.lines ?? linesTo({}),
    ssh: options.ssh,
    backlogLimit: options.backlogLimit ?? 20_000,
    wheel,
    store,
    log: options.log,
    orders,
    closing: false,
  }
  const stored = new Map(store.devices().map((row) => [row.sn, row]))
  const fleet = options.fleet ?? planFleet(options.count, options.seed, options.models)
  const devices = fleet.map(({ sn, model }) => {
    const identity = identify(sn, model, options.seed)
    const row = stored.get(sn) ?? newRow(identity)
    row.secret = options.secrets?.[sn] ?? row.secret
    return new SimDevice(row, identity, world)
  })
  const bySn = new Map(devices.map((device) => [device.sn, device]))
  const close = async () => {
    if (world.closing) return
    world.closing = true
    for (const device of devices) device.down()
    wheel.close()
    await store.close()
  }
  const poor = devices.filter((device) => device.row.secret === null)
  if (poor.length > 0 && options.enrolmentKey === undefined) {
    await close()
    throw new SettingError(
      `${poor.length} simulated devices have no secret yet: set SIM_ENROLMENT_KEY to the enrolment key of a group`,
    )
  }
  for (const [i, device] of devices.entries()) wheel.after((i * 1000) / BOOTS_PER_S, () => device.boot())
  const onlineCount = () => devices.filter((device) => device.online).length
  return {
    devices,
    device: (sn) => {
      const found = bySn.get(sn)
      if (!found) throw new Error(`${sn} is not simulated here`)
      return found
    },
    onlineCount,
    whenOnline: async (timeoutMs) => {
      // Looks are counted, not time: a machine that stands still uses up none.
      for (let leftMs = timeoutMs; onlineCount() < devices.length; leftMs -= 50) {
        if (leftMs < 0)
          throw new Error(`${onlineCount()} of ${devices.length} devices are online after ${timeoutMs} ms`)
        await wheel.sleep(50)
      }
    },
    close,
  }
}
