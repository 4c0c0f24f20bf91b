/** How messages and sessions are shared: in this process, or over Redis between several brokers. */
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
import type { SessionShelf } from './sessions.ts'

/** Aedes' emitter slots; none of them ever waits for a reader. */
const CONCURRENCY = 1_000
const QUEUED_DAYS = 7
const QUIT_MS = 1_000

export type Backbone = {
  /** Sessions live elsewhere: the shelf of this process knows nothing of them. */
  shared: boolean
  options: { mq?: unknown; persistence: unknown; concurrency: number }
  persistence: { isHeld(clientId: string, messageId: number): boolean }
  /** Aedes has handed over the stored queue. */
  ready(client: Client, guard: Guard): void
  /** Whether anybody, here or stored, subscribes to this topic of this device. */
  listened(sn: string, topic: string): boolean
  close(): Promise<void>
}

type Deliver = { deliverQoS(packet: unknown, done: () => void): void }

function openLocal(shelf: SessionShelf, fleet: Fleet): Backbone {
  const persistence = openPersistence(shelf)
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
      for (const message of shelf.session(client.id)?.queue.values() ?? [])
        if (message.messageId === undefined)
          (client as unknown as Deliver).deliverQoS({ ...message }, () => undefined)
    },
    listened: (sn, topic) => {
      for (const guard of fleet.bySn(sn)) if (anyMatch(guard.filters, topic)) return true
      for (const guard of fleet.services) if (anyMatch(guard.filters, topic)) return true
      for (const session of shelf.buckets.get(sn)?.sessions.values() ?? [])
        if (anyMatch(session.filters, topic)) return true
      return false
    },
    close: async () => undefined,
  }
}

/**
 * A connection that can be left while others still use it: what was asked is answered, what is asked after the
 * good-bye waits for ever. Both packages fire questions that they do not await and end the connection under
 * them; each would be a rejection that nobody handles.
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
  /** The sessions' package hangs up when Aedes closes; we do, when all is answered. */
  override disconnect(reconnect = false): void {
    if (reconnect || this.leaving) super.disconnect(reconnect)
  }
}

/** Several brokers: any of them may hold the subscriber, so every message goes the long way. */
function openShared(url: string, log: Log): Backbone {
  const line = (what: string) => new Line(url, (error) => log.warn({ err: error }, `broker ${what} on Redis`))
  const connection = line('sessions')
  const emitter = redisEmitter({
    subConn: line('subscriptions'),
    pubConn: line('messages'),
    concurrency: CONCURRENCY,
  })
  // Its types leave out the emitter of connection errors, which would end the process if nobody listened.
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
  shelf: SessionShelf,
  fleet: Fleet,
  log: Log,
): Backbone => (redisUrl ? openShared(redisUrl, log) : openLocal(shelf, fleet))
