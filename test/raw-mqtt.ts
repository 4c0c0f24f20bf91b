/** An MQTT peer that sends exactly the given bytes, valid or not, for tests and benchmarks. */
import { connect as dial, type Socket } from 'node:net'
import { generate, type IConnectPacket, type Packet, parser } from 'mqtt-packet'
import { afterPatience } from './patience.ts'

export type Raw = {
  socket: Socket
  /** Everything received, in order. */
  packets: Packet[]
  send(packet: Packet | Buffer | string): void
  /**
   * The first packet, old or new, that `is` accepts; it is removed. Rejects after `ms`, or when the socket closes.
   */
  take(is: ((packet: Packet) => boolean) | Packet['cmd'], ms?: number): Promise<Packet>
  /** Resolves when the broker has closed; rejects after `ms`. */
  closed(ms?: number): Promise<void>
  isClosed(): boolean
  end(): void
}

type Waiter = { is: (packet: Packet) => boolean; good: (packet: Packet) => void; bad: (error: Error) => void }

/** Opens a TCP connection without sending anything. */
export function openRaw(port: number, host = '127.0.0.1'): Promise<Raw> {
  return new Promise((done, fail) => {
    const socket = dial({ port, host, noDelay: true })
    const packets: Packet[] = []
    const waiters = new Set<Waiter>()
    const reader = parser()
    let isClosed = false
    let whenClosed: (() => void)[] = []
    reader.on('packet', (packet) => {
      for (const waiter of waiters)
        if (waiter.is(packet)) {
          waiters.delete(waiter)
          waiter.good(packet)
          return
        }
      packets.push(packet)
    })
    socket.on('data', (chunk: Buffer) => reader.parse(chunk))
    socket.on('error', (error) => fail(error))
    socket.on('close', () => {
      isClosed = true
      for (const waiter of waiters) waiter.bad(new Error('closed'))
      for (const told of whenClosed) told()
      whenClosed = []
    })
    const raw: Raw = {
      socket,
      packets,
      send: (packet) => {
        const bytes = typeof packet === 'string' ? Buffer.from(packet, 'hex') : packet
        socket.write(Buffer.isBuffer(bytes) ? bytes : generate(bytes))
      },
      take: (what, ms = 30_000) => {
        const is = typeof what === 'string' ? (packet: Packet) => packet.cmd === what : what
        const at = packets.findIndex(is)
        const [found] = at === -1 ? [] : packets.splice(at, 1)
        if (found) return Promise.resolve(found)
        if (isClosed) return Promise.reject(new Error('closed'))
        return new Promise((good, bad) => {
          const end = afterPatience(ms, () => {
            waiters.delete(waiter)
            bad(new Error(`nothing of the kind within ${ms} ms`))
          })
          const settle =
            <T>(then: (value: T) => void) =>
            (value: T) => {
              end()
              then(value)
            }
          const waiter: Waiter = { is, good: settle(good), bad: settle(bad) }
          waiters.add(waiter)
        })
      },
      closed: (ms = 30_000) =>
        isClosed
          ? Promise.resolve()
          : new Promise((good, bad) => {
              const end = afterPatience(ms, () => bad(new Error(`still open after ${ms} ms`)))
              whenClosed.push(() => {
                end()
                good()
              })
            }),
      isClosed: () => isClosed,
      end: () => socket.destroy(),
    }
    socket.once('connect', () => done(raw))
  })
}

export type Login = { sn: string; secret: string }

export const connectPacket = (
  login: Login,
  over: Partial<IConnectPacket> & { tag?: string } = {},
): IConnectPacket => {
  const { tag, ...rest } = over
  return {
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    keepalive: 60,
    clientId: tag ? `${login.sn}:${tag}` : login.sn,
    username: login.sn,
    password: Buffer.from(login.secret),
    ...rest,
  }
}

/** Connects as a device and requires CONNACK 0. */
export async function loginRaw(
  port: number,
  login: Login,
  over: Partial<IConnectPacket> & { tag?: string } = {},
): Promise<Raw & { sessionPresent: boolean }> {
  const raw = await openRaw(port)
  raw.send(connectPacket(login, over))
  const answer = await raw.take('connack')
  if (answer.cmd !== 'connack' || answer.returnCode !== 0)
    throw new Error(`CONNACK ${answer.cmd === 'connack' ? answer.returnCode : ''}`)
  return Object.assign(raw, { sessionPresent: answer.sessionPresent })
}
