/** One simulated device: power, network, uplinks; the parts of its work are in the files beside it. */
import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { z } from 'zod'
import { makeSecret } from '#infra/secrets'
import { hello, type welcome } from '#schema/device/hello'
import type { logPriorities } from '#schema/device/log'
import { parseTopic, type Uplink, uplinkTopic } from '#schema/kit/message'
import type { TaskFailure } from '#schema/kit/task-kind'
import { fault } from './base.ts'
import { Clock } from './clock.ts'
import { ConfigDocument } from './config/document.ts'
import { LocalEdits } from './config/local.ts'
import { Outputs } from './config/outputs.ts'
import { Trial } from './config/trial.ts'
import { type NetworkUplink, uplinkIn } from './config/uplink.ts'
import { type Connected, stayConnected } from './connection.ts'
import { type Listening, listen } from './downlinks.ts'
import { featuresOf } from './features.ts'
import type { Identity } from './fleet.ts'
import { Collector } from './gateway/collector.ts'
import { greetingOf } from './greeting.ts'
import { Installer } from './installer.ts'
import { Life } from './life.ts'
import type { Line } from './line.ts'
import { Link } from './link.ts'
import { Logbook } from './logbook.ts'
import { Orders } from './orders.ts'
import { Outbox } from './outbox.ts'
import { Planned } from './planned.ts'
import { Portal } from './portal.ts'
import { Printers } from './printers.ts'
import { Radio } from './radio.ts'
import { Dice } from './random.ts'
import { restart } from './restart.ts'
import { Sections } from './sections.ts'
import { Services } from './services.ts'
import { Settings } from './settings.ts'
import { StatusRounds } from './status/status-rounds.ts'
import type { DeviceRow } from './store.ts'
import type { World } from './world.ts'

/** Shared by all devices: an error with its own stack costs more than the rest of a shutdown. */
const POWER_CUT = new DOMException('the power was cut', 'AbortError')

export class SimDevice implements Connected, Listening {
  readonly sn: string
  readonly identity: Identity
  readonly world: World
  readonly row: DeviceRow
  readonly dice: Dice
  /** 'step' {item, step, failure}, 'command' {id, name}, 'online', 'offline' (reason), 'boot' (boot id). */
  readonly events = new EventEmitter()
  readonly installer: Installer
  readonly orders: Orders
  readonly #life: Life
  readonly #outbox = new Outbox()
  readonly settings: Settings
  readonly config: ConfigDocument
  readonly trial: Trial
  readonly local: LocalEdits
  readonly sections: Sections
  readonly services: Services
  readonly outputs: Outputs
  readonly radio: Radio
  readonly planned: Planned
  readonly portal: Portal
  readonly collector: Collector
  readonly clock: Clock
  readonly logbook: Logbook
  readonly #printers: Printers
  #power: AbortSignal = AbortSignal.abort()
  #cutPower: () => void = () => undefined
  #bootId = ''
  #line: Line | null = null
  #connection = ''
  readonly proposal = makeSecret()
  #online = false
  readonly #link: Link
  readonly #rounds: StatusRounds

  constructor(row: DeviceRow, identity: Identity, world: World) {
    this.sn = row.sn
    this.row = row
    this.world = world
    this.identity = identity
    this.dice = new Dice(world.seed, row.sn, 'dice')
    this.clock = new Clock(identity.model.hasClock)
    this.installer = new Installer(this)
    this.orders = new Orders(this)
    this.settings = new Settings(this)
    this.config = new ConfigDocument(this)
    this.#life = new Life(identity, world.seed, Date.now())
    this.#link = new Link(this, (reason) => this.#line?.destroy(reason))
    this.services = new Services(this)
    this.outputs = new Outputs(this)
    this.radio = new Radio(this)
    this.sections = new Sections(this)
    this.planned = new Planned(this)
    this.portal = new Portal(this)
    this.collector = new Collector(this)
    this.logbook = new Logbook(this)
    this.local = new LocalEdits(this)
    this.trial = new Trial(this)
    this.#printers = new Printers(this)
    this.#rounds = new StatusRounds(this, this.#life, this.#printers)
  }

  get model(): string {
    return this.identity.model.name
  }
  get firmware(): string {
    return this.row.firmware
  }
  get bootId(): string {
    return this.#bootId
  }
  /** Subscribed, and hello sent. */
  get online(): boolean {
    return this.#online
  }
  get power(): AbortSignal {
    return this.#power
  }

  /** How often this item was installed, by its own durable count: 0 or 1, unless there is a bug. */
  installs(item: string): number {
    return this.world.store.item(this.sn, item)?.installs ?? 0
  }

  /** Makes the next offered item fail in this way. */
  failNext(failure: TaskFailure): void {
    this.installer.forced.push(failure)
  }

  /** Cancels the failures that no offer has used yet. */
  failNoMore(): void {
    this.installer.forced.length = 0
  }

  now(): number {
    return this.clock.now()
  }

  boot(): void {
    if (!this.#power.aborted || this.world.closing) return
    const controller = new AbortController()
    this.#power = controller.signal
    this.#cutPower = () => controller.abort(POWER_CUT)
    this.#bootId = randomUUID()
    this.#life.boot(Date.now())
    this.clock.boot()
    this.logbook.boot(this.#bootId)
    this.services.boot(this.now())
    this.outputs.boot()
    this.planned.boot()
    this.collector.boot()
    this.events.emit('boot', this.#bootId)
    this.local.boot()
    this.#resume().catch(fault(this))
  }

  /** The network comes up only after a change on trial has been rolled back. */
  async #resume(): Promise<void> {
    await this.trial.booted()
    this.#link.follow()
    for (const work of [this.orders.booted(), this.installer.booted(), stayConnected(this)])
      work.catch(fault(this))
  }

  down(): void {
    if (this.#power.aborted) return
    this.#outbox.clear()
    this.collector.down()
    if (this.#online) this.#line?.end()
    else this.#line?.destroy('went down')
    this.disconnected('went down')
    this.#cutPower()
  }

  /** Disconnects without notice, and returns after a boot. */
  cutPower(): void {
    this.#line?.destroy('power lost')
    restart(this).catch(fault(this))
  }

  network(): Promise<void> {
    return this.#link.network()
  }

  lost(): AbortSignal {
    return this.#link.lost()
  }

  goOffline(ms: number): void {
    this.#link.goOffline(ms)
  }

  get uplink(): NetworkUplink {
    return uplinkIn(this.config.doc, this.identity, this.radio.slot)
  }

  reconfigured(packages: readonly string[] | null): void {
    this.#link.follow()
    if (packages === null || packages.includes('network')) this.#line?.end()
    else this.sections.tell()
  }

  report<P extends z.ZodType>(message: Uplink<P>, payload: z.input<P>, key?: string): Promise<void> {
    return this.#outbox.add(uplinkTopic(this.sn, message.name), JSON.stringify(payload), key)
  }

  note(priority: (typeof logPriorities)[number], tag: string, text: string): void {
    this.logbook.note(priority, tag, text)
  }

  hold(line: Line, name: string): void {
    this.#line = line
    this.#connection = name
  }

  connected(line: Line): void {
    this.#online = true
    this.greet()
    // After the hello, on the same line: all unacknowledged reports.
    this.#outbox.attach(line)
    this.#printers.connected()
    this.sections.connected()
    this.planned.connected()
    this.portal.connected()
    this.collector.connected()
    this.#rounds.connected()
    this.events.emit('online')
  }

  disconnected(reason: string): void {
    this.#outbox.detach()
    this.#rounds.disconnected()
    if (!this.#online) return
    this.#online = false
    this.events.emit('offline', reason)
  }

  greet(): void {
    if (!this.#online) return
    const features = this.installer.restore.hello(featuresOf(this.world.orders.keys(), this.identity))
    void this.deliver(hello, greetingOf(this, this.#bootId, { ...features, connection: this.#connection }))
  }

  take(topic: string, body: Buffer): Promise<void> {
    const parsed = parseTopic(topic)
    return parsed?.sn === this.sn && parsed.direction === 'down'
      ? listen(this, parsed.name, body)
      : Promise.resolve()
  }

  welcomed({ at, statusEveryS }: z.output<typeof welcome.payload>): void {
    const wasUnknown = !this.clock.isSet
    this.clock.set(at)
    this.planned.clockSet()
    if (wasUnknown) this.collector.connected()
    this.#rounds.every(statusEveryS)
  }

  async enrolled(secret = this.proposal): Promise<void> {
    this.row.secret = secret
    await this.world.store.saveDevice(this.row)
    this.#line?.end()
  }

  async deliver<P extends z.ZodType>(message: Uplink<P>, payload: z.input<P>): Promise<boolean> {
    if (!this.#online) return false
    const sent = this.#line?.publish(uplinkTopic(this.sn, message.name), JSON.stringify(payload))
    return (
      sent?.then(
        () => true,
        () => false,
      ) ?? false
    )
  }
}
