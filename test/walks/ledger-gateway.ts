/** A gateway that knows only docs/protocol.md, and writes down which of its samples were acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { IPubackPacket, IPublishPacket } from 'mqtt-packet'
import { loginRaw, type Raw } from '../raw-mqtt.ts'
import type { TestDevice } from '../tenants.ts'

/** A report of two values: raw `n`, and `n` + 1. `index`: in the order of sending. */
export type Sample = { plan: number; at: number; n: number; late: boolean; index: number }
type Plan = { revision: number; terminals: { t: number }[] }

/** Longer than the database may be away. */
const PATIENCE_MS = 40_000
const WINDOW = 10

export class LedgerGateway {
  /** By `at`. */
  readonly acknowledged = new Map<number, Sample>()
  readonly sent = new Map<number, Sample>()
  reconnects = -1
  /** How often a message was sent again, after a lost connection or for mischief. */
  repeated = 0
  plan: Plan | null = null
  readonly #device: TestDevice
  readonly #port: number
  #at: number
  #waiting: Sample[] = []

  constructor(port: number, device: TestDevice, from: number) {
    this.#port = port
    this.#device = device
    this.#at = from
  }

  /** Until it is stopped, and everything that it has sent is acknowledged. */
  async live(stop: () => boolean): Promise<void> {
    while (!stop() || this.#waiting.length > 0) {
      try {
        const raw = await loginRaw(this.#port, this.#device)
        this.reconnects++
        await this.#speak(raw, stop).finally(() => raw.end())
      } catch {
        // The broker is away, or was killed: what is not acknowledged is sent again.
        await sleep(50)
      }
    }
  }

  async #speak(raw: Raw, stop: () => boolean): Promise<void> {
    const { sn } = this.#device
    let id = 1
    const publish = (name: string, payload: object) => {
      raw.send({
        cmd: 'publish',
        topic: `v1/${sn}/up/${name}`,
        payload: JSON.stringify(payload),
        qos: 1,
        messageId: ++id,
        retain: false,
        dup: false,
      })
      return id
    }
    raw.send({
      cmd: 'subscribe',
      messageId: 1,
      subscriptions: [{ topic: `v1/${sn}/down/#`, qos: 1 }],
    })
    await raw.take('suback', PATIENCE_MS)
    publish('hello', {
      at: Date.now(),
      bootId: 'boot',
      model: 'R200',
      firmware: '1.0.0',
      features: ['collection'],
      plan: this.plan?.revision ?? null,
    })
    const flying = new Map<number, Sample>()
    const send = (sample: Sample) => {
      const { plan, at, n, late } = sample
      if (this.sent.has(at)) this.repeated++
      this.sent.set(at, sample)
      const t = this.plan?.terminals[0]?.t
      flying.set(
        publish('variables', { plan, t, at, i: [0, 1], v: [n, n + 1], ...(late && { late }) }),
        sample,
      )
    }
    const again = this.#waiting
    this.#waiting = []
    for (const sample of again) send(sample)
    const more = () => {
      if (!this.plan || stop()) return
      while (flying.size < WINDOW) {
        const sample = this.#next()
        send(sample)
        // Doubled in the same breath.
        if (sample.n % 17 === 0) send(sample)
      }
    }
    try {
      for (;;) {
        more()
        if (stop() && flying.size === 0) return
        const packet = await raw.take(({ cmd }) => cmd === 'puback' || cmd === 'publish', PATIENCE_MS)
        if (packet.cmd === 'publish') this.#hear(raw, packet, publish)
        else {
          const { messageId = 0 } = packet as IPubackPacket
          const sample = flying.get(messageId)
          if (sample) this.acknowledged.set(sample.at, sample)
          flying.delete(messageId)
        }
      }
    } finally {
      const ids = new Set([...flying.values()].filter(({ at }) => !this.acknowledged.has(at)))
      this.#waiting.push(...ids)
    }
  }

  /** Every fifth is out of order, every seventh of the late ones of yesterday. */
  #next(): Sample {
    const n = ++this.#at
    const late = n % 7 === 0
    const at = late ? n - 86_400_000 : n % 5 === 0 ? n - 500_000 : n
    return { plan: this.plan?.revision ?? 0, at, n: n % 1_000_000, late, index: n }
  }

  #hear(raw: Raw, packet: IPublishPacket, publish: (name: string, payload: object) => number): void {
    if (packet.qos === 1) raw.send({ cmd: 'puback', messageId: packet.messageId ?? 0 })
    if (!packet.topic.endsWith('/down/plan')) return
    const plan = JSON.parse(String(packet.payload)) as Plan
    if (plan.terminals.length > 0) this.plan = plan
    publish('collection', { at: Date.now(), plan: plan.revision, slaves: [] })
  }
}
