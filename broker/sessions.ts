/**
 * What the broker keeps for disconnected devices, in memory and bounded: sessions, queued messages, retained
 * messages, wills. Stored per device, so that a SUBSCRIBE never scans the retained messages of other devices.
 */
import { ownerOf } from './acl.ts'
import { limits } from './limits.ts'

export type Message = {
  cmd: 'publish' | 'pubrel'
  brokerId?: string
  brokerCounter: number
  topic: string
  payload: Buffer
  qos: 0 | 1 | 2
  retain: boolean
  dup: boolean
  messageId?: number
}

export type Session = {
  readonly id: string
  readonly sn: string
  readonly filters: Map<string, 0 | 1 | 2>
  /** Messages the device has not acknowledged yet, in order, by broker counter. */
  readonly queue: Map<number, Message>
  readonly counterOf: Map<number, number>
  /** Packet ids of its QoS 2 publishes that wait for PUBREL. */
  readonly incoming: Set<number>
  bytes: number
  connected: boolean
  /** When its connection ended, by `performance.now()`. */
  leftAt: number
}

export type Bucket = {
  customerId: number
  readonly sessions: Map<string, Session>
  readonly retained: Map<string, Message>
  retainedBytes: number
}

const weight = (message: Message) => message.payload.length + message.topic.length + 200
const QUEUED_MS = limits.queuedDays * 86_400_000

export class SessionStore {
  readonly buckets = new Map<string, Bucket>()
  private readonly byId = new Map<string, Session>()
  private readonly customerOf = new Map<string, number>()
  /** Total size of everything stored. */
  bytes = 0
  private readonly refused: () => void

  /** @param refused called for each message that is dropped because of a limit */
  constructor(refused: () => void = () => undefined) {
    this.refused = refused
  }

  session(clientId: string): Session | undefined {
    return this.byId.get(clientId)
  }

  /**
   * Called at login. Returns whether a session existed. A device that has moved to another customer does not
   * find its old session [threats 13].
   */
  enter(clientId: string, sn: string, customerId: number, clean: boolean): boolean {
    if (this.buckets.get(sn)?.customerId !== customerId) this.forget(sn)
    this.customerOf.set(sn, customerId)
    if (clean) {
      this.drop(clientId)
      return false
    }
    const found = this.byId.get(clientId)
    if (found) {
      found.connected = true
      return true
    }
    const bucket = this.bucket(sn, customerId)
    if (bucket.sessions.size >= limits.storedSessions) {
      const oldest = [...bucket.sessions.values()].find((entry) => !entry.connected)
      if (oldest) this.drop(oldest.id)
    }
    const made: Session = {
      id: clientId,
      sn,
      filters: new Map(),
      queue: new Map(),
      counterOf: new Map(),
      incoming: new Set(),
      bytes: 0,
      connected: true,
      leftAt: 0,
    }
    bucket.sessions.set(clientId, made)
    this.byId.set(clientId, made)
    return false
  }

  leave(clientId: string, now = performance.now()): void {
    const session = this.byId.get(clientId)
    if (session?.connected) Object.assign(session, { connected: false, leftAt: now })
  }

  /** Removes what has waited too long for sessions that are away; the sessions and their filters stay. */
  removeOld(now = performance.now()): void {
    for (const session of this.byId.values()) {
      if (session.connected || now - session.leftAt < QUEUED_MS) continue
      this.bytes -= session.bytes
      session.bytes = 0
      session.queue.clear()
      session.counterOf.clear()
      session.incoming.clear()
    }
  }

  drop(clientId: string): void {
    const session = this.byId.get(clientId)
    if (!session) return
    this.bytes -= session.bytes
    this.byId.delete(clientId)
    this.buckets.get(session.sn)?.sessions.delete(clientId)
    this.tidy(session.sn)
  }

  /** Deletes everything of one device. */
  forget(sn: string): void {
    const bucket = this.buckets.get(sn)
    if (!bucket) return
    for (const session of bucket.sessions.values()) {
      this.bytes -= session.bytes
      this.byId.delete(session.id)
    }
    this.bytes -= bucket.retainedBytes
    this.buckets.delete(sn)
  }

  /** Queues a message for one session, or drops it if the session has too much already. */
  enqueue(session: Session, packet: Message, qos: 0 | 1 | 2): void {
    const size = weight(packet)
    if (
      session.queue.size >= limits.queuedMessages ||
      session.bytes + size > limits.queuedBytes ||
      this.bytes + size > limits.keptBytes
    ) {
      this.refused()
      return
    }
    const { brokerId, brokerCounter, topic } = packet
    // Copied, because a slice would keep the whole received chunk in memory.
    const payload = Buffer.from(packet.payload)
    // [MQTT-3.3.1-9] Existing subscribers always get RETAIN 0, even when it is delivered later.
    const kept: Message = {
      cmd: 'publish',
      brokerCounter,
      topic,
      payload,
      qos,
      retain: false,
      dup: false,
      ...(brokerId ? { brokerId } : {}),
    }
    session.queue.set(brokerCounter, kept)
    session.bytes += size
    this.bytes += size
  }

  /** The device has received it. */
  acknowledge(session: Session, messageId: number): Message | undefined {
    const counter = session.counterOf.get(messageId)
    const message = counter === undefined ? undefined : session.queue.get(counter)
    if (counter === undefined || !message) return undefined
    session.counterOf.delete(messageId)
    session.queue.delete(counter)
    session.bytes -= weight(message)
    this.bytes -= weight(message)
    return message
  }

  retain(packet: Message): void {
    const sn = ownerOf(packet.topic)
    if (sn === null) return
    const bucket = this.bucket(sn, this.customerOf.get(sn) ?? 0)
    const old = bucket.retained.get(packet.topic)
    if (old) {
      bucket.retained.delete(packet.topic)
      bucket.retainedBytes -= weight(old)
      this.bytes -= weight(old)
    }
    const size = weight(packet)
    const tooMuch =
      bucket.retained.size >= limits.retainedMessages ||
      bucket.retainedBytes + size > limits.retainedBytes ||
      this.bytes + size > limits.keptBytes
    // [MQTT-3.3.1-10] An empty payload only deletes the retained message.
    if (packet.payload.length === 0) this.tidy(sn)
    else if (tooMuch) this.refused()
    else {
      bucket.retained.set(packet.topic, { ...packet, payload: Buffer.from(packet.payload) })
      bucket.retainedBytes += size
      this.bytes += size
    }
  }

  private bucket(sn: string, customerId: number): Bucket {
    const found = this.buckets.get(sn)
    if (found) return found
    const made: Bucket = { customerId, sessions: new Map(), retained: new Map(), retainedBytes: 0 }
    this.buckets.set(sn, made)
    return made
  }

  private tidy(sn: string): void {
    const bucket = this.buckets.get(sn)
    if (bucket?.sessions.size === 0 && bucket.retained.size === 0) this.buckets.delete(sn)
  }
}
