/** How messages and sessions are shared: within this process, or between several brokers over Redis. */
import type { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'aedes'
import redisPersistence from 'aedes-persistence-redis'
import { type Command, Redis } from 'ioredis'
import redisEmitter from 'mqemitter-redis'
import type { Log } from '#infra/log'
import { matches } from './acl.ts'
import type { Fleet } from './fleet.ts'
import type { Guard } from './guard.ts'
import { openPersistence } from './persistence.ts'
import type { SessionStore } from './sessions.ts'

/** Slots of Aedes' emitter. None of them ever waits for a reader. */
const CONCURRENCY = 1_000
const QUEUED_DAYS = 7
const QUIT_MS = 1_000

export type Backbone = {
  /** True if sessions are kept on Redis instead of in this process. */
  shared: boolean
  options: { mq?: unknown; persistence: unknown; concurrency: number }
  persistence: { isHeld(clientId: string, messageId: number): boolean }
  /** Called when Aedes has delivered the stored queue. */
  ready(client: Client, guard: Guard): void
  /** Whether any connection or stored session subscribes to this topic of this device. */
  listened(sn: string, topic: string): boolean
  close(): Promise<void>
}

type Deliver = { deliverQoS(packet: unknown, done: () => void): void }

function openLocal(sessions: SessionStore, fleet: Fleet): Backbone {
  const persistence = openPersistence(sessions)
  const anyMatch = (filters: ReadonlyMap<string, number>, topic: string) => {
    for (const filter of filters.keys()) if (matches(filter, topic)) return true
    return false
  }
  return {
    shared: false,
    options: { persistence, concurrency: CONCURRENCY },
    persistence,
    ready: (client, guard) => {
      guard.draining = false
      for (const message of sessions.session(client.id)?.queue.values() ?? [])
        if (message.messageId === undefined)
          (client as unknown as Deliver).deliverQoS({ ...message }, () => undefined)
    },
    listened: (sn, topic) => {
      for (const guard of fleet.bySn(sn)) if (anyMatch(guard.filters, topic)) return true
      for (const guard of fleet.services) if (anyMatch(guard.filters, topic)) return true
      for (const session of sessions.buckets.get(sn)?.sessions.values() ?? [])
        if (anyMatch(session.filters, topic)) return true
      return false
    },
    close: async () => undefined,
  }
}

/**
 * A connection that can be closed while others still use it: pending commands are completed, and later ones
 * stay pending forever. Both Redis packages issue commands without awaiting them and close the connection
 * meanwhile; each such command would cause an unhandled rejection.
 */
class Line extends Redis {
  private leaving = false
  private readonly report: (error: Error) => void
  constructor(url: string, report: (error: Error) => void) {
    super(url, { maxRetriesPerRequest: null })
    this.report = report
    this.on('error', report)
  }
  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    if (this.leaving && (command as Command).name !== 'quit') return new Promise(() => undefined)
    return super.sendCommand(command, stream)
  }
  override async quit(): Promise<'OK'> {
    this.leaving = true
    const bye = super.quit().catch(this.report)
    await Promise.race([bye, sleep(QUIT_MS)])
    super.disconnect()
    return 'OK'
  }
  /**
   * The session package disconnects when Aedes closes; we disconnect later, when all commands are completed.
   */
  override disconnect(reconnect = false): void {
    if (reconnect || this.leaving) super.disconnect(reconnect)
  }
}

/** With several brokers any of them may hold the subscriber, so every message is published through Redis. */
function openShared(url: string, log: Log): Backbone {
  const line = (what: string) => new Line(url, (error) => log.warn({ err: error }, `broker ${what} on Redis`))
  const connection = line('sessions')
  const emitter = redisEmitter({
    subConn: line('subscriptions'),
    pubConn: line('messages'),
    concurrency: CONCURRENCY,
  })
  // The package's types omit the emitter of connection errors; without a listener an error would end the
  // process.
  const { state } = emitter as unknown as { state: EventEmitter }
  state.on('error', (error: Error) => log.warn({ err: error }, 'broker emitter on Redis'))
  const persistence = redisPersistence({
    conn: connection,
    packetTTL: () => QUEUED_DAYS * 86_400,
  })
  return {
    shared: true,
    options: { mq: emitter, persistence, concurrency: CONCURRENCY },
    persistence: { isHeld: () => false },
    ready: (_client, guard) => {
      guard.draining = false
    },
    listened: () => true,
    close: async () => {
      await connection.quit()
    },
  }
}

export const openBackbone = (
  redisUrl: string | undefined,
  sessions: SessionStore,
  fleet: Fleet,
  log: Log,
): Backbone => (redisUrl ? openShared(redisUrl, log) : openLocal(sessions, fleet))
