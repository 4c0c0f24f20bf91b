/** Many MQTT connections at minimal cost: packets are prepared in advance, and responses are only counted. */
import { connect, type Socket } from 'node:net'
import { generate } from 'mqtt-packet'
import { status } from '#schema/device/status'

export type Credential = { sn: string; secret: string }

const CONNACK_BYTES = 4
const PUBACK_BYTES = 4
const AT_DIGITS = 13

/** Connects and logs in; resolves with the socket after CONNACK 0. */
export function dial(port: number, who: Credential, keepalive = 600): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('error', fail)
    socket.once('close', () => fail(new Error(`${who.sn}: closed before CONNACK`)))
    socket.once('connect', () =>
      socket.write(
        generate({
          cmd: 'connect',
          protocolId: 'MQTT',
          protocolVersion: 4,
          clean: true,
          keepalive,
          clientId: who.sn,
          username: who.sn,
          password: Buffer.from(who.secret),
        }),
      ),
    )
    socket.once('data', (chunk: Buffer) => {
      if (chunk.length < CONNACK_BYTES || chunk[3] !== 0) fail(new Error(`${who.sn}: CONNACK ${chunk[3]}`))
      else done(socket)
    })
  })
}

/**
 * Dials all, at most `parallel` at the same time. The sockets are in the order of the devices: one that speaks with
 * the name of another is cut.
 */
export async function dialAll(port: number, all: Credential[], parallel = 200): Promise<Socket[]> {
  const sockets: Socket[] = []
  const queue = all.entries()
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (const [i, who] of queue) sockets[i] = await dial(port, who)
    }),
  )
  return sockets
}

/** Subscribes to what the platform sends to this device; resolves with the SUBACK. */
export function listen(socket: Socket, { sn }: Credential): Promise<void> {
  return new Promise((done, fail) => {
    socket.once('close', () => fail(new Error(`${sn}: closed before SUBACK`)))
    socket.once('data', (chunk: Buffer) =>
      chunk[0] === 0x90 && chunk[4] === 1 ? done() : fail(new Error(`${sn}: ${chunk.toString('hex')}`)),
    )
    const subscriptions = [{ topic: `v1/${sn}/down/#`, qos: 1 as const }]
    socket.write(generate({ cmd: 'subscribe', messageId: 1, subscriptions }))
  })
}

/** What the connection with this index says at that time. */
export type Spoken = (index: number, at: number) => { name: string; payload: object }
const statusOf: Spoken = (_index, at) => ({ name: status.name, payload: { ...status.example, at } })

/** The bytes of one QoS 1 message, with the offsets of its packet id and its timestamp. */
function template(sn: string, at: number, said: ReturnType<Spoken>) {
  const payload = JSON.stringify(said.payload)
  const topic = `v1/${sn}/up/${said.name}`
  const packet = generate({ cmd: 'publish', topic, payload, qos: 1, messageId: 1, retain: false, dup: false })
  const atPlace = packet.indexOf(String(at))
  const idPlace = packet.indexOf(topic) + topic.length
  return { packet, atPlace, idPlace }
}

const PACE_MS = 10

/** One message of each connection in turn, at this rate per second. */
function pace(senders: readonly ((count: number) => void)[], perSecond: number): NodeJS.Timeout {
  const began = performance.now()
  let sent = 0
  return setInterval(() => {
    if (senders.length === 0) return
    const due = Math.floor(((performance.now() - began) * perSecond) / 1000)
    for (; sent < due; sent++) senders[sent % senders.length]?.(1)
  }, PACE_MS)
}

/**
 * Keeps `window` messages unacknowledged on each connection; `watch` (processor seconds) is read at both ends of the
 * measured time, `share` is what they used of a processor, `cut` how many connections the broker has closed. With `perSecond`
 * messages of all connections together are sent at this rate instead, whatever is acknowledged; `from` is the time of the first.
 */
export async function pump(
  sockets: Socket[],
  all: Credential[],
  options: {
    window: number
    warmMs: number
    ms: number
    watch(): number[]
    says?: Spoken
    perSecond?: number
    from?: number
  },
): Promise<{ perSecond: number; microsPerMessage: number[]; share: number[]; cut: number }> {
  let acknowledged = 0
  let running = true
  let cut = 0
  const from = options.from ?? Date.now() - 3_600_000
  const paced: ((count: number) => void)[] = []
  for (const [i, socket] of sockets.entries()) {
    const said = (options.says ?? statusOf)(i, from)
    const { packet, atPlace, idPlace } = template(all[i]?.sn ?? '', from, said)
    let sent = 0
    let partial = 0
    socket.once('close', () => {
      if (running) cut++
    })
    const send = (count: number) => {
      const bytes = Buffer.allocUnsafe(packet.length * count)
      for (let n = 0; n < count; n++) {
        const at = n * packet.length
        packet.copy(bytes, at)
        bytes.write(String(from + sent), at + atPlace, AT_DIGITS, 'latin1')
        bytes.writeUInt16BE((sent % 65_535) + 1, at + idPlace)
        sent++
      }
      socket.write(bytes)
    }
    socket.on('data', (chunk: Buffer) => {
      const total = partial + chunk.length
      const acks = Math.floor(total / PUBACK_BYTES)
      partial = total % PUBACK_BYTES
      acknowledged += acks
      if (running && acks > 0 && options.perSecond === undefined) send(acks)
    })
    if (options.perSecond === undefined) send(options.window)
    else paced.push(send)
  }
  const pacing = pace(paced, options.perSecond ?? 0)
  const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
  await pause(options.warmMs)
  const before = acknowledged
  const watched = options.watch()
  const began = performance.now()
  await pause(options.ms)
  const messages = acknowledged - before
  const tookMs = performance.now() - began
  const perSecond = (messages * 1000) / tookMs
  const used = options.watch().map((seconds, i) => seconds - (watched[i] ?? 0))
  running = false
  clearInterval(pacing)
  return {
    perSecond,
    microsPerMessage: used.map((seconds) => (seconds * 1e6) / messages),
    share: used.map((seconds) => (seconds * 1000) / tookMs),
    cut,
  }
}
