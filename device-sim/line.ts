/**
 * One MQTT 3.1.1 connection of a device, as small as possible: QoS 1 both ways, clean session. A general client costs
 * some 60 kB each in streams, stores and timers, times 10,000 devices in one process.
 */
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import {
  generate,
  type IPubackPacket,
  type ISubackPacket,
  type Packet,
  type Parser,
  parser,
} from 'mqtt-packet'
import { hostOf } from '#infra/settings/host-of'
import type { Timer, Wheel } from './wheel.ts'

/** The broker's refusal [MQTT-3.2.2.3]: 4 and 5 mean that the credential is not accepted. */
export class LineRefused extends Error {
  readonly returnCode: number
  constructor(returnCode: number) {
    super(`the broker refused the connection with code ${returnCode}`)
    this.returnCode = returnCode
  }
}

export type LineOptions = {
  /** mqtt://host:port or mqtts://host:port */
  url: URL
  clientId: string
  username: string
  password: string
  keepaliveS: number
  wheel: Wheel
  /** The message about the end of this connection: published as its will, and before DISCONNECT. */
  end?: { topic: string; broken: string; leaving: string } | undefined
  /** PUBACK is sent when this has resolved: only then may the platform forget the message. */
  onMessage(topic: string, payload: Buffer): Promise<void>
}

/** Timeout for the broker's response to CONNECT. */
const CONNECT_MS = 20_000

export class Line {
  readonly #socket: Socket
  readonly #parser: Parser = parser({ protocolVersion: 4 })
  readonly #options: LineOptions
  readonly #waiting = new Map<number, { done(): void; fail(error: Error): void }>()
  /** Resolves with the reason when the connection has ended for any reason. */
  readonly closed: Promise<string>
  #lastId = 0
  #pingUnanswered = false
  #pulse: Timer | undefined
  #reason = 'the connection broke'
  #greet: { done(): void; fail(error: Error): void } | undefined

  constructor(options: LineOptions) {
    this.#options = options
    const { url } = options
    const secure = url.protocol === 'mqtts:'
    const host = hostOf(url)
    const where = { host, port: Number(url.port) || (secure ? 8883 : 1883), noDelay: true }
    // An address is no name of a server.
    const named = isIP(host) === 0 ? { servername: host } : {}
    this.#socket = secure ? connectTls({ ...where, ...named }) : connect(where)
    const socket = this.#socket
    this.closed = new Promise((done) => {
      socket.once('close', () => {
        this.#end(this.#reason)
        done(this.#reason)
      })
    })
    socket.on('error', (error) => {
      this.#reason = error.message
    })
    socket.on('data', (chunk: Buffer) => this.#parser.parse(chunk))
    this.#parser.on('packet', (packet) => this.#take(packet))
    this.#parser.on('error', (error: Error) => this.destroy(error.message))
  }

  /** Sends CONNECT. @throws LineRefused, or an Error without a connection or response. */
  open(): Promise<void> {
    const { clientId, username, password, keepaliveS, wheel, end } = this.#options
    const ready = this.#options.url.protocol === 'mqtts:' ? 'secureConnect' : 'connect'
    const late = wheel.after(CONNECT_MS, () => this.destroy('no answer to CONNECT'))
    this.#socket.once(ready, () =>
      this.#send({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        clientId,
        username,
        password: Buffer.from(password),
        keepalive: keepaliveS,
        ...(end && { will: { topic: end.topic, payload: Buffer.from(end.broken), qos: 1, retain: false } }),
      }),
    )
    return new Promise<void>((done, fail) => {
      this.#greet = { done, fail }
    }).finally(() => late.cancel())
  }

  /** Resolves at SUBACK. @throws if the broker refuses the filter or the line breaks. */
  subscribe(topic: string): Promise<void> {
    return this.#request((messageId) => ({
      cmd: 'subscribe',
      messageId,
      subscriptions: [{ topic, qos: 1 }],
    }))
  }

  /** Publishes at QoS 1; resolves at PUBACK. @throws if the line breaks before. */
  publish(topic: string, payload: string): Promise<void> {
    return this.#request((messageId) => ({
      cmd: 'publish',
      messageId,
      topic,
      payload,
      qos: 1,
      dup: false,
      retain: false,
    }))
  }

  /** Sends DISCONNECT and closes. */
  end(): void {
    this.#reason = 'disconnected'
    const { end } = this.#options
    // Not waited for: TCP delivers it before DISCONNECT.
    if (end) void this.publish(end.topic, end.leaving).catch(() => undefined)
    this.#send({ cmd: 'disconnect' })
    this.#socket.destroySoon()
  }

  /** Closes without DISCONNECT, as when power or radio are lost. */
  destroy(reason: string): void {
    this.#reason = reason
    this.#socket.destroy()
  }

  /** Packets of the same event loop turn are sent together. */
  #send(packet: Packet): void {
    const socket = this.#socket
    if (socket.destroyed) return
    if (socket.writableCorked === 0) {
      socket.cork()
      process.nextTick(() => socket.uncork())
    }
    socket.write(generate(packet))
  }

  #request(packet: (messageId: number) => Packet): Promise<void> {
    if (this.#socket.destroyed) return Promise.reject(new Error(this.#reason))
    do this.#lastId = (this.#lastId % 65_535) + 1
    while (this.#waiting.has(this.#lastId))
    const id = this.#lastId
    return new Promise<void>((done, fail) => {
      this.#waiting.set(id, { done, fail })
      this.#send(packet(id))
    })
  }

  #take(packet: Packet): void {
    this.#pingUnanswered = false
    if (packet.cmd === 'connack') this.#greeted(packet.returnCode ?? 0)
    else if (packet.cmd === 'publish') this.#receive(packet.topic, packet.payload, packet)
    else if (packet.cmd === 'puback' || packet.cmd === 'suback') this.#answered(packet)
  }

  #answered(packet: IPubackPacket | ISubackPacket): void {
    const asked = this.#waiting.get(packet.messageId ?? 0)
    this.#waiting.delete(packet.messageId ?? 0)
    if (packet.cmd === 'suback' && packet.granted.includes(128))
      asked?.fail(new Error('the broker refused the subscription'))
    else asked?.done()
  }

  #greeted(returnCode: number): void {
    const greet = this.#greet
    this.#greet = undefined
    if (returnCode !== 0) {
      greet?.fail(new LineRefused(returnCode))
      this.destroy('refused')
    } else {
      this.#beat()
      greet?.done()
    }
  }

  async #receive(topic: string, payload: string | Buffer, packet: { qos: number; messageId?: number }) {
    try {
      await this.#options.onMessage(topic, Buffer.from(payload))
    } catch (error) {
      // A message that could not be stored is not acknowledged; the platform asks again.
      return this.destroy((error as Error).message)
    }
    if (packet.qos === 1 && packet.messageId) this.#send({ cmd: 'puback', messageId: packet.messageId })
  }

  /** Two pings in a row without any packet in between: the broker is gone. */
  #beat(): void {
    this.#pulse = this.#options.wheel.after(this.#options.keepaliveS * 700, () => {
      if (this.#pingUnanswered) return this.destroy('the broker went silent')
      this.#pingUnanswered = true
      this.#send({ cmd: 'pingreq' })
      this.#beat()
    })
  }

  #end(reason: string): void {
    this.#pulse?.cancel()
    const error = new Error(reason)
    this.#greet?.fail(error)
    for (const asked of this.#waiting.values()) asked.fail(error)
    this.#waiting.clear()
  }
}
