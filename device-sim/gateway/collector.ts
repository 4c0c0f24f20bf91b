/** Polls Modbus slaves by the plan of the platform, and reports what it finds. */
import type { z } from 'zod'
import { collection, type plan } from '#schema/monitor/collection'
import type { PlanDocument } from '#schema/monitor/wire'
import { fault } from '../base.ts'
import type { Outputs } from '../config/outputs.ts'
import { hasOutputs, isGateway } from '../features.ts'
import type { Timer } from '../wheel.ts'
import { BusPolls } from './bus-polls.ts'
import { Buses } from './buses.ts'
import { Forwarder } from './forwarder.ts'
import type { GatewayPart } from './gateway-part.ts'
import { Gatherer } from './gatherer.ts'
import { ownInterfaces } from './own-interfaces.ts'
import { partsOf } from './parts-of.ts'
import { planFault } from './plan-fault.ts'
import { PolledSlave } from './polled-slave.ts'

type Owner = GatewayPart & { readonly outputs: Outputs }
type Running = {
  readonly revision: number
  readonly slaves: readonly PolledSlave[]
  readonly reported: readonly PolledSlave[]
  stop(): void
}

/** Slaves of one bus often stop responding together: they are combined into one report. */
const TELL_AFTER_MS = 500

export class Collector {
  readonly buses: Buses
  readonly forwarder: Forwarder
  readonly #part: Owner
  readonly #hasOwn: boolean
  #running: Running | null = null
  #refused: { plan: number; reason: string } | null = null
  #telling: Timer | null = null

  constructor(part: Owner) {
    this.#part = part
    this.#hasOwn = hasOutputs(part.identity)
    const own = this.#hasOwn ? ownInterfaces(part) : null
    this.buses = new Buses(part.world.lines, part.world.wheel, own, (error) =>
      part.world.log.error({ sn: part.sn, err: error }, 'a poll failed'),
    )
    this.forwarder = new Forwarder(part)
  }

  /** The plan that runs; null: none. */
  get revision(): number | null {
    return this.#running?.revision ?? null
  }

  get slaves(): readonly PolledSlave[] {
    return this.#running?.slaves ?? []
  }

  boot(): void {
    this.forwarder.boot()
    const kept = this.#part.settings.get('plan')
    if (kept) this.#start(kept)
  }

  down(): void {
    this.#running?.stop()
    this.#running = null
    this.#telling?.cancel()
    this.#telling = null
    this.buses.close()
  }

  /** Resolves when the plan is in flash. One that cannot be run is refused, and the former one continues. */
  async take(document: z.output<typeof plan.payload>): Promise<void> {
    const reason = isGateway(this.#part.identity)
      ? planFault(document, this.#hasOwn)
      : 'this device collects nothing'
    this.#refused = reason === null ? null : { plan: document.revision, reason }
    if (reason === null && document.revision !== this.revision) {
      await this.#part.settings.put('plan', document)
      this.#start(document)
    }
    this.#tell()
  }

  /** Back to factory settings: nothing is polled, and nothing is kept. */
  async forget(): Promise<void> {
    this.#running?.stop()
    this.#running = null
    await this.forwarder.forget()
  }

  /** Connected, or the clock has been set. */
  connected(): void {
    for (const slave of this.slaves) slave.forget()
    if (this.#running || this.#refused) this.#tell()
    this.forwarder.connected()
  }

  #start(document: PlanDocument): void {
    this.#running?.stop()
    const { world } = this.#part
    const gather = { wheel: world.wheel, send: this.forwarder.send.bind(this.forwarder) }
    const slaves = document.terminals.flatMap((terminal) => {
      const gatherer = new Gatherer(gather, terminal.t, document.revision)
      return partsOf(terminal).map((part) => new PolledSlave(part, gatherer, world.wheel))
    })
    // Values read from the gateway itself say nothing about the slave.
    const homes = new Map(document.terminals.map(({ t, bus }) => [t, bus]))
    const stops = document.buses.map((spec, at) => {
      const bus = this.buses.hold(spec)
      const own = slaves.filter(({ plan: terminal }) => terminal.bus === at)
      if (!bus) {
        // A serial port that this gateway does not have.
        for (const slave of own) slave.noPort(this.#part.now(), this.#part.clock.uptime())
        return () => undefined
      }
      const polls = new BusPolls(
        {
          uptime: () => this.#part.clock.uptime(),
          now: () => this.#part.now(),
          pause: (ms) => world.wheel.sleep(ms),
          stateChanged: () => this.#tell(),
        },
        bus,
        own,
      )
      bus.poll(polls)
      return () => {
        bus.pollNoMore(polls)
        this.buses.release(spec)
      }
    })
    this.#running = {
      revision: document.revision,
      slaves,
      reported: slaves.filter(({ plan: { t, bus } }) => homes.get(t) === bus),
      stop: () => {
        for (const stop of stops) stop()
        for (const slave of slaves) slave.flush()
      },
    }
    this.#part.note('notice', 'collector', `plan ${document.revision}: ${document.terminals.length} slaves`)
  }

  #tell(): void {
    this.#telling ??= this.#part.world.wheel.after(TELL_AFTER_MS, () => {
      this.#telling = null
      const refused = this.#refused
      const slaves = (this.#running?.reported ?? []).flatMap(({ plan: { t }, state, since, missed }) =>
        state === null ? [] : [{ t, state, since, missed }],
      )
      const said = { at: this.#part.now(), plan: this.revision, ...(refused && { refused }), slaves }
      this.#part.report(collection, said, collection.name).catch(fault(this.#part))
    })
  }
}
