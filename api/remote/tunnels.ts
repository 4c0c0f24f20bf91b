/** The tunnels that this process holds: one SSH connection of a device for one session. */
import { EventEmitter } from 'node:events'
import type { Writable } from 'node:stream'
import type { Connection, ServerChannel } from 'ssh2'
import { Audience } from './audience.ts'
import type { DeviceFiles } from './device-file.ts'
import { awaitLine } from './line-bounds.ts'
import type { Shell } from './shell.ts'
import type { Who } from './ticket.ts'
import type { TunnelSession } from './tunnel-session.ts'

/** Maximum simultaneous channels of one tunnel; further ones wait for their turn. */
const CHANNELS_MAX = 32
/** A browser opens six connections to a host, but over HTTP/2, as behind a proxy with TLS, it asks for all files of a page at once. */
const WAITING_MAX = 256
const OPEN_MS = 15_000

/** `interrupted`: the device may dig it again; `ended`: the session is over. */
export type TunnelEnd = 'ended' | 'interrupted'

export class Tunnel extends EventEmitter<{ close: [how: TunnelEnd] }> {
  readonly session: TunnelSession
  readonly audience = new Audience()
  readonly #connection: Connection
  readonly #bound: { address: string; port: number }
  readonly #line: Writable | undefined
  readonly #channels = new Set<ServerChannel>()
  /** Asked of the device and not answered yet, also those that nobody waits for any more: it may still open them. */
  #asked = 0
  /** Each asks in the place that has become free. */
  readonly #waiting = new Set<() => void>()
  closed = false
  /** Since the last beat. */
  fromDevice = 0
  toDevice = 0
  isReached = false
  /** Of those who have logged in to the device for them, by owner: a password opens them, and not to an API token of its user too. */
  readonly files = new Map<string, DeviceFiles>()
  /** By their ids, oldest first. */
  readonly shells = new Map<string, Shell>()
  /** Pages that show its terminals now, and the logins that they are open with. */
  readonly pages = new Map<{ close(code: number): void }, Who>()
  /** What browsers and programs have open through it besides terminals, and the logins that it is open with. */
  readonly uses = new Map<{ close(code: number): void }, Who>()

  /** @param line carries the connection */
  constructor(
    session: TunnelSession,
    connection: Connection,
    bound: { address: string; port: number },
    line?: Writable,
  ) {
    super()
    line?.setMaxListeners(0)
    this.#line = line
    this.setMaxListeners(0)
    this.session = session
    this.#connection = connection
    this.#bound = bound
    connection.on('close', () => this.close('interrupted'))
  }

  /**
   * A connection to the target of the session, opened by the device. @throws if the device cannot reach it, or if others
   * leave no place for it in time
   */
  async open(): Promise<ServerChannel> {
    if (this.closed) throw new Error('the tunnel is closed')
    return this.#isFull() ? this.#askLater() : this.#ask()
  }

  #isFull = () => this.#channels.size + this.#asked >= CHANNELS_MAX

  #askLater(): Promise<ServerChannel> {
    if (this.#waiting.size >= WAITING_MAX) throw new Error('too many connections')
    return new Promise((done, fail) => {
      const end = () => {
        this.#waiting.delete(ask)
        clearTimeout(timer)
        this.off('close', gone)
      }
      const leave = (why: string) => {
        end()
        fail(new Error(why))
      }
      const ask = () => {
        end()
        done(this.#ask())
      }
      const timer = setTimeout(() => leave('too many connections'), OPEN_MS)
      const gone = () => leave('the tunnel is closed')
      this.once('close', gone)
      this.#waiting.add(ask)
    })
  }

  /** A place may have become free. */
  #next(): void {
    const [ask] = this.#waiting
    if (ask && !this.#isFull()) ask()
  }

  #ask(): Promise<ServerChannel> {
    this.#asked++
    return new Promise((done, fail) => {
      let isAwaited = true
      const leave = (why: string) => {
        isAwaited = false
        clearTimeout(timer)
        this.off('close', gone)
        fail(new Error(why))
      }
      const timer = setTimeout(() => leave('the device did not answer'), OPEN_MS)
      const gone = () => leave('the tunnel is closed')
      this.once('close', gone)
      this.#connection.forwardOut(this.#bound.address, this.#bound.port, '127.0.0.1', 1, (error, channel) => {
        this.#asked--
        // Nobody else would close it.
        if (!isAwaited) channel?.destroy()
        clearTimeout(timer)
        this.off('close', gone)
        if (isAwaited && !error) {
          this.isReached = true
          this.#watch(channel)
          done(channel)
        } else if (isAwaited) fail(error)
        this.#next()
      })
    })
  }

  #watch(channel: ServerChannel): void {
    this.#channels.add(channel)
    if (this.#line) awaitLine(channel, this.#line)
    let isGivenUp = false
    const push = channel.push.bind(channel)
    channel.push = (chunk: Buffer | null, ...rest) => {
      this.fromDevice += chunk?.length ?? 0
      // False: the device gets no room for more.
      return isGivenUp && chunk !== null ? false : push(chunk, ...rest)
    }
    const destroy = channel.destroy.bind(channel)
    channel.destroy = (...given: Parameters<typeof destroy>) => {
      isGivenUp = true
      // It closes after its end, which is behind all data: what nobody reads would keep it, and its place, for ever.
      channel.removeAllListeners('data').resume()
      return destroy(...given)
    }
    const write = channel.write.bind(channel) as (...args: unknown[]) => boolean
    channel.write = (chunk: unknown, ...rest: unknown[]) => {
      this.toDevice += (chunk as Buffer | string).length
      return write(chunk, ...rest)
    }
    channel.on('error', () => channel.destroy())
    channel.on('close', () => {
      this.#channels.delete(channel)
      this.#next()
    })
  }

  close(how: TunnelEnd): void {
    if (this.closed) return
    this.closed = true
    for (const channel of this.#channels) channel.destroy()
    this.#channels.clear()
    this.#connection.end()
    this.emit('close', how)
    this.removeAllListeners()
  }
}

/** The tunnels of this process, for the handlers of calls, which have no other access to them. */
const held = new Map<string, Tunnel>()
export const heldTunnel = (id: string): Tunnel | undefined => held.get(id)

export class Tunnels {
  readonly #byId = new Map<string, Tunnel>()
  readonly #onClose: (tunnel: Tunnel, how: TunnelEnd) => void

  /** @param onClose not called for a tunnel that was replaced by the next one of its session */
  constructor(onClose: (tunnel: Tunnel, how: TunnelEnd) => void) {
    this.#onClose = onClose
  }

  add(tunnel: Tunnel): void {
    this.#byId.get(tunnel.session.id)?.close('interrupted')
    this.#byId.set(tunnel.session.id, tunnel)
    held.set(tunnel.session.id, tunnel)
    tunnel.once('close', (how) => {
      const isLast = this.#byId.get(tunnel.session.id) === tunnel
      if (isLast) this.#byId.delete(tunnel.session.id)
      if (held.get(tunnel.session.id) === tunnel) held.delete(tunnel.session.id)
      if (isLast) this.#onClose(tunnel, how)
    })
  }

  get(id: string): Tunnel | undefined {
    return this.#byId.get(id)
  }

  labelled(label: string): Tunnel | undefined {
    return this.all().find(({ session }) => session.label === label)
  }

  all(): Tunnel[] {
    return [...this.#byId.values()]
  }
}
