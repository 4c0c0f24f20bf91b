/**
 * The frame guard between a socket and Aedes: passes only complete, well-formed packets and bounds waiting data. Writes never block, because
 * every blocked writer occupies one of Aedes' 100 emitter slots [threats 5].
 */
import type { Duplex } from 'node:stream'
import type { Client } from 'aedes'
import type { OfflineReason } from '#schema/device/presence'
import { readConnect } from './connect.ts'
import type { Draining } from './draining.ts'
import type { Arrival, GuardHost, KnownTopic, Pace } from './host.ts'
import { limits } from './limits.ts'
import { bodyFault, frameSize, headerFault, repeatCodes, repeatedFilters, types, u16 } from './packet.ts'
import { heldMax, type Peer } from './peer.ts'
import { Turns } from './publish-order.ts'
import { Leftover } from './receive-buffer.ts'
import { SocketSide } from './socket-side.ts'

const PINGRESP = Buffer.from([0xd0, 0])
/** Work that one connection may do in one turn of the event loop. */
const TURN_SHARE = 256
const LEFTOVER_MAX = 64 * 1024

export class Guard extends SocketSide {
  readonly ip: string
  readonly transport: Arrival['transport']
  /** Monotonic (`performance.now()`), like all times here: a clock change must not look like silence. */
  readonly openedAt: number
  /** The authenticated peer; null before login. */
  peer: Peer | null = null
  state: 'connect' | 'login' | 'open' | 'over' = 'connect'
  lastInAt = performance.now()
  endReason: OfflineReason | null = null
  clientId = ''
  client: Client | null = null
  /** Filters granted to this connection, with their QoS. */
  readonly filters = new Map<string, 0 | 1 | 2>()
  /** PUBLISH packets that were passed to Aedes and that it has not asked to authorize yet. */
  inAedes = 0
  /** While the stored queue is being delivered. */
  draining: Draining | null = null
  lastTopic: KnownTopic | null = null
  pace: Pace | null = null
  /** The last messages delivered, to detect copies where several filters match. */
  readonly delivered = new Set<string>()
  /** A stored session without subscriptions was found; Aedes would not report it [MQTT-3.2.2-2]. */
  sessionPresent = false
  /** Publishes not acknowledged yet, in order of arrival. */
  readonly turns: Turns
  private readonly host: GuardHost<Guard>
  private keepaliveMs = 0
  /** A SUBSCRIBE or UNSUBSCRIBE is in progress; Aedes would process the next one concurrently. */
  private subscribing = false
  /** The connection has used its share of this turn of the event loop; others come first. */
  private resting = false
  private ending = false
  private repeated: number[] | null = null
  private waitingForAedes = false
  private paused = false
  private remoteClosed = false
  private readonly leftover = new Leftover()
  private readonly whenOpened: (() => void) | undefined

  constructor(socket: Duplex, from: Arrival, host: GuardHost<Guard>) {
    super(socket, { readableHighWaterMark: 32 * 1024, writableHighWaterMark: 2 ** 30, autoDestroy: true })
    this.ip = from.ip
    this.openedAt = from.since ?? performance.now()
    this.transport = from.transport
    this.host = host
    this.whenOpened = from.opened
    this.turns = new Turns(this)
    // [MQTT-6.0.0-1] Only a text frame of a WebSocket arrives as a string.
    socket.on('data', (chunk: Buffer | string) =>
      typeof chunk === 'string' ? this.cut('protocolError', 'text frame') : this.arrived(chunk),
    )
    socket.once('end', () => this.socketEnded())
    socket.once('error', () => this.socketEnded())
    socket.once('close', () => this.socketClosed())
  }

  /** Why the connection ended. Aedes itself closes it when the device connects to another broker. */
  get reason(): OfflineReason {
    return this.endReason ?? (this.remoteClosed ? 'socketClosed' : 'takenOver')
  }

  /** Closes the connection; the first reason given is kept. */
  cut(reason: OfflineReason, why?: string): void {
    if (this.state === 'over') return
    this.endReason ??= reason
    if (why) this.host.refused(this, why)
    this.destroy()
  }

  /** Aedes has written CONNACK 0: packets after CONNECT may pass. */
  opened(): void {
    if (this.state !== 'login') return
    this.state = 'open'
    this.whenOpened?.()
    this.lastInAt = performance.now()
    this.feedRest()
  }

  /** Aedes has finished the last SUBSCRIBE or UNSUBSCRIBE. */
  subscribed(): void {
    if (!this.subscribing || this.state === 'over') return
    this.subscribing = false
    this.feedRest()
  }

  /** Checks deadlines twice a second: login, keepalive, output. Silence before `awakeAt` does not count. */
  tick(now: number, awakeAt: number): void {
    if (this.state === 'over') return
    if (this.state !== 'open') {
      if (now - this.openedAt > limits.connectMs) this.cut('protocolError', 'no login in time')
      return
    }
    const keepaliveMs = Math.min(this.keepaliveMs, this.host.longestHeartbeat.ms)
    if (!this.paused && now - Math.max(this.lastInAt, awakeAt) > keepaliveMs * 1.5) this.cut('keepalive')
    else if (this.writableLength > 0 && now - this.flushedAt > limits.stuckMs)
      this.cut('protocolError', 'does not read')
    else if (this.paused) this.flow()
  }

  tooMuchOutput(): boolean {
    if (this.peer?.kind === 'service') return this.writableLength > limits.serviceOutputBytes
    return this.writableLength > (this.host.output.tight ? limits.outputBytesTight : limits.outputBytes)
  }

  /** Resumes or pauses reading, depending on what waits. */
  flow(): void {
    if (this.state === 'over') return
    const stop =
      this.waitingForAedes ||
      this.subscribing ||
      this.resting ||
      this.pace?.isOver === true ||
      this.state === 'login' ||
      (this.host.gate.closed && this.turns.length > 0) ||
      this.turns.length >= heldMax(this.peer) ||
      this.writableLength > limits.outputBytes / 2
    if (stop === this.paused) return
    this.paused = stop
    if (stop) return void this.socket.pause()
    // Time in which we did not read must not count as the client's silence.
    this.lastInAt = performance.now()
    this.socket.resume()
  }

  override _read(): void {
    this.waitingForAedes = false
    this.flow()
  }

  /** Corrects Aedes' responses: session-present without subscriptions, return codes of equal filters. */
  protected override leaving(bytes: Buffer): Buffer {
    if (this.sessionPresent && this.state === 'login' && bytes[0] === 0x20 && bytes[3] === 0)
      return Buffer.from([0x20, 2, 1, 0, ...bytes.subarray(4)])
    const answered = this.repeated && repeatCodes(bytes, this.repeated)
    if (answered) this.repeated = null
    return answered ?? bytes
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.state = 'over'
    this.leftover.drop()
    this.turns.drop()
    if (!this.socket.destroyed) this.closeAfterFlush()
    done(error)
  }

  private socketEnded(): void {
    this.remoteClosed ||= this.state !== 'over'
    this.ending = true
    if (this.state !== 'open') this.destroy()
    else if (!this.subscribing && !this.resting && !this.readableEnded) this.push(null)
  }

  /** Processes what arrived before the end: QoS 0 publishes, DISCONNECT and FIN often come together. */
  private socketClosed(): void {
    this.remoteClosed ||= this.state !== 'over'
    if (this.readableLength === 0 && !this.waitingForAedes) this.destroy()
    else {
      this.once('end', () => this.destroy())
      const late = setTimeout(() => this.destroy(), 2000).unref()
      this.once('close', () => clearTimeout(late))
    }
  }

  private arrived(chunk: Buffer): void {
    // [MQTT-3.14.4-2] Nothing may follow DISCONNECT.
    if (this.state === 'over' || this.endReason === 'disconnected') return
    this.lastInAt = performance.now()
    if (this.state === 'login' || this.subscribing || this.resting) {
      this.leftover.add(chunk)
      if (this.leftover.length > LEFTOVER_MAX + limits.packetBytes)
        this.cut('protocolError', 'too much before an answer')
      return
    }
    if (this.leftover.length === 0) this.feed(chunk)
    else if (this.leftover.lacks(chunk)) this.leftover.add(chunk)
    else this.feed(Buffer.concat([this.leftover.take(), chunk]))
    this.flow()
  }

  private feedRest(): void {
    if (this.leftover.length > 0) this.feed(this.leftover.take())
    if (this.ending) this.socketEnded()
    this.flow()
  }

  private rest(): void {
    this.resting = true
    setImmediate(() => {
      this.resting = false
      if (this.state === 'open') this.feedRest()
    })
  }

  /** Processes the complete packets of `bytes` and keeps the rest. */
  private feed(bytes: Buffer): unknown {
    let at = 0
    let passFrom = 0
    let share = TURN_SHARE
    while (at < bytes.length) {
      const first = bytes[at] ?? 0
      const fault = this.state === 'connect' && first !== 0x10 ? 'not a CONNECT' : headerFault(first)
      if (fault) return this.cut('protocolError', fault)
      const size = frameSize(bytes, at, bytes.length)
      const most = this.state === 'connect' ? limits.connectBytes : limits.packetBytes
      if (size === -1 || size > most)
        return this.cut('protocolError', size === -1 ? 'malformed length' : 'packet too large')
      if (size === 0 || at + size > bytes.length) break
      let from = at + 2
      while ((bytes[from - 1] ?? 0) > 127) from++
      const to = at + size
      if (first === 0x10) {
        if (this.state !== 'connect') return this.cut('protocolError', 'second CONNECT')
        if (this.connect(bytes.subarray(at, to), from - at) && to < bytes.length)
          this.leftover.add(bytes.subarray(to))
        return
      }
      const wrong = bodyFault(first, bytes, from, to)
      if (wrong) return this.cut('protocolError', wrong)
      const type = first >> 4
      const mixedUp =
        type >= types.puback && type <= types.pubcomp && this.inflight.fault(type, u16(bytes, from))
      if (mixedUp) return this.cut('protocolError', mixedUp)
      const taken =
        type === types.publish ? this.host.take(this, first, bytes, from, to) : this.answered(type)
      if (taken) {
        this.pass(bytes, passFrom, at)
        passFrom = to
        // `take` may have closed the connection.
        if (this.destroyed) return
      } else if (type === types.publish) this.inAedes++
      if (type === types.disconnect) return this.pass(bytes, passFrom, to)
      at = to
      if (type === types.subscribe || type === types.unsubscribe) {
        this.subscribing = true
        if (type === types.subscribe) this.repeated = repeatedFilters(bytes, from, to)
        break
      }
      share -= taken ? 1 : this.host.weigh(this)
      if (share <= 0 && at < bytes.length) {
        this.rest()
        break
      }
    }
    this.pass(bytes, passFrom, at)
    if (at < bytes.length) this.leftover.add(bytes.subarray(at))
  }

  private pass(bytes: Buffer, from: number, to: number): void {
    if (to > from && !this.push(bytes.subarray(from, to))) this.waitingForAedes = true
  }

  /** PINGREQ is handled here: it must not wait behind a publish that waits for the database. */
  private answered(type: number): boolean {
    if (type === types.disconnect) this.endReason ??= 'disconnected'
    if (type !== types.pingreq) return false
    this.answer(PINGRESP)
    return true
  }

  /** Returns true if the CONNECT was passed to Aedes. */
  private connect(packet: Buffer, bodyAt: number): boolean {
    const reading = readConnect(packet, bodyAt)
    if ('fault' in reading) this.cut('protocolError', reading.fault)
    else if ('refusal' in reading)
      this.write(Buffer.from([0x20, 2, 0, reading.refusal]), () =>
        this.cut('protocolError', `CONNACK ${reading.refusal}`),
      )
    else {
      this.keepaliveMs = reading.keepaliveMs
      this.state = 'login'
      this.host.connecting(this)
      return this.push(reading.forward) || true
    }
    return false
  }
}
