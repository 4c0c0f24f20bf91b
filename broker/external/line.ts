/**
 * One session at an external broker: MQTT 5, never clean, and each message is acknowledged only when its handler is
 * done. A general-purpose client handles the next message only after the last one is acknowledged, so they would be
 * committed one by one.
 */
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { generate, type IPublishPacket, type Packet, parser } from 'mqtt-packet'
import type { Log } from '#infra/log'
import { watchOutage } from '#infra/queue/outage'
import { hostOf } from '#infra/settings/host-of'
import { limits } from '../limits.ts'

type LineOptions = {
  url: URL
  clientId: string
  username: string
  password: string
  filter: string
  /** A subscription from earlier settings, which the session may still have. */
  former: string
  log: Log
  /** Called when it is subscribed. */
  opened(): void
  /** Called in the order of arrival; `done` once the message is stored, or cannot be. Never called for QoS 0. */
  take(topic: string, payload: Buffer, done: (() => void) | null): void
}

export type Line = {
  /** Since when it is subscribed, by `performance.now()`; null: it is not. */
  since(): number | null
  /** Why it is not subscribed. */
  problem(): string | null
  close(): Promise<void>
}

/** Maximum number of messages waiting for their commit; the broker sends no more until some are acknowledged. */
const WINDOW = 2_000
/** How long the broker keeps the session and what waits in it. */
const SESSION_S = 7 * 86_400
const KEEPALIVE_S = 20
const CONNECT_MS = 10_000
const PAUSE_MS = 1_000
const HEADER_BYTES = 1_024

/**
 * A failed write does not end the socket; reading does, once all that has arrived is read. By default the first
 * acknowledgement that fails after the death of the broker would discard messages which are still in the system's
 * receive buffer, and which the broker has already acknowledged to devices.
 */
function readToTheEnd(socket: Socket): Socket {
  const { _write: write, _writev: writev } = socket
  socket._write = (chunk, encoding, done) => write.call(socket, chunk, encoding, () => done())
  socket._writev = (chunks, done) => writev?.call(socket, chunks, () => done())
  return socket
}

export function openLine(options: LineOptions): Line {
  const { url, log } = options
  const outage = watchOutage(log, `external broker, ${options.clientId}`)
  let problem: string | null = 'not connected yet'
  let since: number | null = null
  let socket: Socket | null = null
  let closed = false
  let again: NodeJS.Timeout | undefined
  const ended = Promise.withResolvers<void>()

  function dial(): void {
    const secure = url.protocol === 'mqtts:'
    const host = hostOf(url)
    const where = { host, port: Number(url.port) || (secure ? 8883 : 1883), noDelay: true }
    const opened = readToTheEnd(
      secure ? connectTls({ ...where, ...(isIP(host) === 0 ? { servername: host } : {}) }) : connect(where),
    )
    socket = opened
    const fail = (why: string) => {
      problem = why
      opened.destroy()
    }
    const send = (packet: Packet) => {
      if (!opened.destroyed) opened.write(generate(packet, { protocolVersion: 5 }))
    }
    const late = setTimeout(() => fail('no answer to CONNECT'), CONNECT_MS)
    let heardAt = performance.now()
    const pulse = setInterval(() => {
      if (performance.now() - heardAt > KEEPALIVE_S * 1500) fail('it went silent')
      else send({ cmd: 'pingreq' })
    }, KEEPALIVE_S * 500)
    /** [MQTT-4.6.0-2] Acknowledged in the order of arrival. */
    const turns: { id: number; stored: boolean }[] = []
    const acknowledge = () => {
      while (turns[0]?.stored) send({ cmd: 'puback', messageId: turns.shift()?.id ?? 0, reasonCode: 0 })
    }
    const receive = ({ topic, payload, qos, messageId }: IPublishPacket) => {
      const bytes = Buffer.from(payload)
      if (qos === 0 || messageId === undefined) return options.take(topic, bytes, null)
      const turn = { id: messageId, stored: false }
      turns.push(turn)
      options.take(topic, bytes, () => {
        turn.stored = true
        acknowledge()
      })
    }
    const reader = parser({ protocolVersion: 5 })
    reader.on('packet', (packet) => {
      heardAt = performance.now()
      if (packet.cmd === 'publish') receive(packet)
      else if (packet.cmd === 'connack') {
        if (packet.reasonCode !== 0)
          return fail(`it refuses the account of the platform (${packet.reasonCode})`)
        send({ cmd: 'unsubscribe', messageId: 2, unsubscriptions: [options.former] })
        // No retained messages of devices (rh: 2): yesterday's hello would look like a new one.
        const subscription = { topic: options.filter, qos: 1 as const, rh: 2 }
        send({ cmd: 'subscribe', messageId: 1, subscriptions: [subscription] })
      } else if (packet.cmd === 'suback') {
        if (packet.granted.some((code) => Number(code) >= 128))
          return fail(`it refuses the subscription of ${options.filter}`)
        clearTimeout(late)
        problem = null
        since = performance.now()
        outage.works()
        options.opened()
      } else if (packet.cmd === 'disconnect') fail(`it ended the connection (${packet.reasonCode})`)
    })
    reader.on('error', (error: Error) => fail(error.message))
    opened.on('data', (chunk: Buffer) => reader.parse(chunk))
    opened.on('error', (error) => {
      problem = error.message
    })
    opened.once(secure ? 'secureConnect' : 'connect', () =>
      send({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 5,
        clean: false,
        clientId: options.clientId,
        username: options.username,
        password: Buffer.from(options.password),
        keepalive: KEEPALIVE_S,
        properties: {
          sessionExpiryInterval: SESSION_S,
          receiveMaximum: WINDOW,
          maximumPacketSize: limits.packetBytes + HEADER_BYTES,
        },
      }),
    )
    opened.once('close', () => {
      clearTimeout(late)
      clearInterval(pulse)
      if (since !== null || problem === null) problem ??= 'the connection broke'
      since = null
      // Messages of a connection that has ended meanwhile are not acknowledged: the broker sends them again.
      turns.length = 0
      if (closed) return ended.resolve()
      outage.failed(new Error(problem ?? ''))
      again = setTimeout(dial, PAUSE_MS)
    })
  }

  dial()
  return {
    since: () => since,
    problem: () => problem,
    close: () => {
      closed = true
      clearTimeout(again)
      if (!socket || socket.destroyed) ended.resolve()
      // Without DISCONNECT: unacknowledged messages must not count as received.
      else socket.destroySoon()
      return ended.promise
    },
  }
}
