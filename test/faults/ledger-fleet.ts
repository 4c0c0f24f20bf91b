/** Devices that know only docs/protocol.md, and write down which of their samples were acknowledged and when they were connected. */
import { connect, type Socket } from 'node:net'
import { generate, type Packet, parser } from 'mqtt-packet'
import { status } from '#schema/device/status'
import { connectPacket } from '../raw-mqtt.ts'
import type { TestDevice } from '../tenants.ts'

const RETRY_MS = 300
const KEEPALIVE_S = 60
/** A broker that accepted the connection and then says nothing is given up. */
const CONNACK_MS = 15_000
/** Samples that wait for their acknowledgement; while there are more, no new ones are made. */
const WAITING_MAX = 300

export type Span = { from: number; to: number | null }

export class LedgerDevice {
  readonly device: TestDevice
  /** Times of samples. */
  readonly acknowledged = new Set<number>()
  readonly sent = new Set<number>()
  readonly spans: Span[] = []
  readonly #port: number
  readonly #address: string
  #waiting = new Set<number>()
  #flying = new Map<number, number>()
  #socket: Socket | null = null
  #packetId = 1
  #last = 0
  #stopped = false

  /** @param address of the loopback network: each device has its own. */
  constructor(device: TestDevice, port: number, address: string) {
    this.device = device
    this.#port = port
    this.#address = address
  }

  get online(): boolean {
    const span = this.spans.at(-1)
    return span !== undefined && span.to === null
  }

  get waiting(): number {
    return this.#waiting.size
  }

  dial(): void {
    if (this.#stopped) return
    const socket = connect({
      port: this.#port,
      host: '127.0.0.1',
      localAddress: this.#address,
      noDelay: true,
    })
    this.#socket = socket
    const late = setTimeout(() => socket.destroy(), CONNACK_MS)
    const reader = parser()
    socket.on('data', (chunk: Buffer) => reader.parse(chunk))
    reader.on('packet', (packet: Packet) => {
      if (packet.cmd === 'connack' && packet.returnCode === 0) {
        clearTimeout(late)
        this.#greet()
      } else this.#hear(packet)
    })
    reader.on('error', () => socket.destroy())
    socket.once('connect', () =>
      socket.write(generate(connectPacket(this.device, { keepalive: KEEPALIVE_S }))),
    )
    socket.on('error', () => undefined)
    socket.once('close', () => {
      clearTimeout(late)
      const span = this.spans.at(-1)
      if (span?.to === null) span.to = Date.now()
      this.#flying.clear()
      setTimeout(() => this.dial(), RETRY_MS * (1 + 3 * Math.random()))
    })
  }

  /** Makes a sample, and sends it if it is connected; otherwise with the next connection. */
  sample(): void {
    if (this.#stopped || this.#waiting.size >= WAITING_MAX) return
    this.#last = Math.max(this.#last + 1, Date.now())
    this.#waiting.add(this.#last)
    if (this.online) this.#send(this.#last)
  }

  stop(): void {
    this.#stopped = true
    this.#socket?.destroy()
  }

  #greet(): void {
    this.spans.push({ from: Date.now(), to: null })
    const { sn } = this.device
    const subscriptions = [{ topic: `v1/${sn}/down/#`, qos: 1 as const }]
    this.#write({ cmd: 'subscribe', messageId: this.#nextId(), subscriptions })
    this.#publish('hello', { at: Date.now(), bootId: 'boot', model: 'R200', firmware: '1.0.0' })
    for (const at of this.#waiting) this.#send(at)
  }

  #hear(packet: Packet): void {
    if (packet.cmd === 'publish' && packet.qos === 1)
      this.#write({ cmd: 'puback', messageId: packet.messageId ?? 0 })
    if (packet.cmd !== 'puback') return
    const at = this.#flying.get(packet.messageId ?? 0)
    if (at === undefined) return
    this.#flying.delete(packet.messageId ?? 0)
    this.#waiting.delete(at)
    this.acknowledged.add(at)
  }

  #send(at: number): void {
    this.sent.add(at)
    this.#flying.set(this.#publish(status.name, { ...status.example, at }), at)
  }

  #publish(name: string, payload: object): number {
    const messageId = this.#nextId()
    const topic = `v1/${this.device.sn}/up/${name}`
    const body = JSON.stringify(payload)
    this.#write({ cmd: 'publish', topic, payload: body, qos: 1, messageId, retain: false, dup: false })
    return messageId
  }

  #nextId(): number {
    this.#packetId = (this.#packetId % 65_535) + 1
    return this.#packetId
  }

  #write(packet: Packet): void {
    if (this.#socket?.writable) this.#socket.write(generate(packet))
  }
}

/** All of them, each with a sample every `everyMs`, spread over that time. */
export function startLedgerFleet(devices: readonly TestDevice[], port: number, everyMs: number) {
  const all = devices.map((device, i) => new LedgerDevice(device, port, `127.1.${i >> 8}.${i & 255 || 255}`))
  let turn = 0
  const began = performance.now()
  const timer = setInterval(() => {
    const due = ((performance.now() - began) * all.length) / everyMs
    for (; sampling && turn < due; turn++) all[turn % all.length]?.sample()
  }, 20)
  let sampling = true
  for (const [i, one] of all.entries()) setTimeout(() => one.dial(), i)
  const count = (of: (one: LedgerDevice) => number) => all.reduce((sum, one) => sum + of(one), 0)
  return {
    all,
    online: () => all.filter(({ online }) => online).length,
    acknowledged: () => count((one) => one.acknowledged.size),
    waiting: () => count((one) => one.waiting),
    /** No new samples; what waits is still sent. */
    quiet: () => {
      sampling = false
    },
    stop: () => {
      clearInterval(timer)
      for (const one of all) one.stop()
    },
  }
}
